// Headings in Slovak.
import type { Headings } from './headings.ts';

/** Slovak: Humanet, Softip. */
export const sk: Headings = {
  firstname: 'Krstné meno, Krstné mená',
  firstnameBeside: 'Meno, Mená',
  lastname: 'Priezvisko',
  fullname: 'Meno a priezvisko, Priezvisko a meno, Celé meno, Meno Priezvisko, Priezvisko Meno, Meno zamestnanca',
  email:
    'E-mail, Email, E-mailová adresa, Emailová adresa, Pracovný e-mail, Firemný e-mail, Služobný e-mail, E-mail pracovný, Elektronická pošta, Pracovná e-mailová adresa',
  login: 'Používateľské meno, Prihlasovacie meno',
  telephone: 'Telefón, Telefónne číslo, Číslo telefónu, Tel. číslo',
  workPhone: 'Pracovný telefón, Služobný telefón, Firemný telefón, Telefón do práce',
  mobile: 'Mobil, Mobilný telefón, Mobilné číslo, Číslo mobilu, Služobný mobil, Pracovný mobil',
  employeeId: 'Osobné číslo, Číslo zamestnanca, Zamestnanecké číslo, ID zamestnanca, Os. číslo',
  startDate: 'Dátum nástupu, Nástup, Deň nástupu, Dátum nástupu do práce, Dátum vzniku pracovného pomeru',
  endDate:
    'Dátum výstupu, Dátum odchodu, Dátum ukončenia pracovného pomeru, Dátum skončenia pracovného pomeru, Posledný pracovný deň',
  status: 'Stav zamestnanca, Aktívny, Status, Status zamestnanca',
  gone: 'Blokovaný, Zablokovaný, Neaktívny',
  group: 'Skupina, Skupiny, Člen skupiny',
  department: 'Oddelenie, Oddelenia, Odbor, Útvar, Divízia, Úsek, Názov oddelenia',
  team: 'Tím, Tímy, Názov tímu',
  unit: 'Organizačná jednotka, Organizačný útvar',
  site: 'Pracovisko, Miesto výkonu práce, Lokalita, Pobočka, Kancelária, Prevádzka, Miesto práce',
  class: 'Trieda, Triedy',
  position: 'Pozícia, Pracovná pozícia, Funkcia, Pracovné zaradenie, Rola, Názov pozície, Profesia',
  employer: 'Stredisko, Nákladové stredisko, Firma, Spoločnosť, Krajina, Zamestnávateľ',
  unsure: {
    startDate: 'Dátum začatia, Dátum od, Začiatok',
    endDate: 'Dátum ukončenia, Dátum do, Koniec',
    status: 'Stav',
    position: 'Titul',
  },
  work: 'pracovný, firemný, služobný, práca, do práce',
  notOurs: 'súkromný, osobný, domov, núdzový, nadriadený',
  statuses: {
    active: 'aktívny, zamestnaný, v pracovnom pomere',
    leave: 'materská dovolenka, rodičovská dovolenka, na dovolenke, neplatené voľno, materská, rodičovská',
    ended: `neaktívny, ukončený, prepustený, na dôchodku, odišiel, zablokovaný, ukončená, prepustená, odišla,
      zablokovaná, bývalý zamestnanec, bývalá zamestnankyňa, výpoveď, neaktívna`,
    future: 'budúci, pred nástupom',
  },
  yes: 'áno, pravda',
  no: 'nie, nepravda',
};
