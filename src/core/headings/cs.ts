// Headings in Czech.
import type { Headings } from './headings.ts';

/** Czech: Helios, Vema, Pamica. */
export const cs: Headings = {
  firstname: 'Křestní jméno, Křestní jména',
  firstnameBeside: 'Jméno, Jména',
  lastname: 'Příjmení',
  fullname: 'Jméno a příjmení, Příjmení a jméno, Celé jméno, Jméno Příjmení, Příjmení Jméno, Jméno zaměstnance',
  email:
    'E-mail, Email, E-mailová adresa, Emailová adresa, Pracovní e-mail, Firemní e-mail, Služební e-mail, E-mail pracovní, Elektronická pošta, E-mail firemní, Pracovní e-mailová adresa',
  login: 'Uživatelské jméno, Přihlašovací jméno',
  telephone: 'Telefon, Telefonní číslo, Číslo telefonu, Tel. číslo',
  workPhone:
    'Pracovní telefon, Služební telefon, Telefon pracovní, Firemní telefon, Telefon do práce, Telefon služební',
  mobile:
    'Mobil, Mobilní telefon, Mobilní číslo, Služební mobil, Číslo mobilu, Pracovní mobil, Firemní mobil, Mobil pracovní',
  employeeId:
    'Osobní číslo, Číslo zaměstnance, Zaměstnanecké číslo, ID zaměstnance, Os. číslo, Osobní číslo zaměstnance',
  startDate:
    'Datum nástupu, Nástup, Datum nástupu do práce, Den nástupu, Datum vzniku pracovního poměru, Datum nástupu do zaměstnání, Vznik pracovního poměru',
  endDate:
    'Datum výstupu, Datum odchodu, Datum ukončení pracovního poměru, Den výstupu, Ukončení pracovního poměru, Poslední pracovní den, Datum skončení pracovního poměru',
  status: 'Stav zaměstnance, Stav pracovního poměru, Aktivní, Status, Status zaměstnance',
  gone: 'Blokován, Zablokován, Neaktivní',
  group: 'Skupina, Skupiny, Člen skupiny',
  department: 'Oddělení, Odbor, Útvar, Divize, Úsek, Název oddělení',
  team: 'Tým, Týmy, Název týmu',
  unit: 'Organizační jednotka, Organizační útvar',
  site: 'Pracoviště, Místo výkonu práce, Lokalita, Pobočka, Kancelář, Provozovna, Místo práce, Závod',
  class: 'Třída, Třídy',
  position: 'Pozice, Pracovní pozice, Funkce, Pracovní zařazení, Název pozice, Role, Profese',
  employer: 'Středisko, Nákladové středisko, Firma, Společnost, Země, Zaměstnavatel',
  unsure: {
    startDate: 'Datum zahájení, Začátek, Datum od',
    endDate: 'Konec pracovního poměru, Ukončení, Datum ukončení, Konec, Datum do',
    status: 'Stav',
    position: 'Titul',
  },
  work: 'pracovní, firemní, služební, práce, do práce',
  notOurs: 'sekundární, druhý, soukromý, osobní, domů, nouzový, nadřízený',
  statuses: {
    active: 'aktivní, zaměstnán, zaměstnaný, v pracovním poměru',
    leave:
      'mateřská dovolená, rodičovská dovolená, dlouhodobě nemocný, na dovolené, neplacené volno, mateřská, rodičovská',
    ended: `neaktivní, ukončen, propuštěn, v důchodu, odešel, zablokován, ukončeno, bývalý zaměstnanec,
      ukončena, propuštěna, odešla, neaktivní účet, zablokována, bývalá zaměstnankyně, výpověď,
      zemřel`,
    future: 'budoucí, před nástupem',
  },
  yes: 'ano, pravda',
  no: 'ne, nepravda',
};
