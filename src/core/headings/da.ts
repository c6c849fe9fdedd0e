// Headings in Danish.
import type { Headings } from './headings.ts';

/** Danish: DataLøn, Visma, Zenegy. */
export const da: Headings = {
  firstname: 'Fornavn, Fornavne',
  callname: 'Kaldenavn',
  lastname: 'Efternavn, Efternavne',
  fullname: 'Navn, Fulde navn, Fuldt navn, Medarbejdernavn, Medarbejder navn, Navn på medarbejder',
  email: `E-mail, E-mailadresse, E-mail adresse, Mailadresse, E-post, Arbejds-e-mail, Arbejdsmail, E-mail arbejde, Firmamail,
    Firma e-mail, E-mail (firma), Arbejdsmailadresse`,
  login: 'Brugernavn',
  telephone: 'Telefon, Telefonnummer, Tlf., Tlf.nr., Telefonnr.',
  workPhone: 'Arbejdstelefon, Telefon arbejde, Firmatelefon, Telefon (arbejde), Arbejdstelefonnummer',
  mobile: 'Mobil, Mobiltelefon, Mobilnummer, Mobilnr., Mobil tlf., Arbejdsmobil, Mobil arbejde',
  employeeId: 'Medarbejdernummer, Medarbejdernr., Medarbejder-id, Lønnummer, Lønnr., Ansættelsesnummer',
  startDate:
    'Ansættelsesdato, Tiltrædelsesdato, Ansat dato, Ansat fra, Første arbejdsdag, Dato for ansættelse, Ansat den',
  endDate: 'Fratrædelsesdato, Fratrådt dato, Sidste arbejdsdag, Opsigelsesdato, Dato for fratrædelse',
  status: 'Status, Medarbejderstatus, Ansættelsesstatus, Aktiv',
  gone: 'Slettet, Afdød, Fratrådt, Fratrædelsesårsag, Afmeldt, Blokeret, Deaktiveret, Spærret',
  group: 'Gruppe, Grupper, Medlem af',
  department: 'Afdeling, Afdelinger, Afdelingsnavn, Division',
  team: 'Team, Teams, Hold',
  unit: 'Organisatorisk enhed, Organisationsenhed, Enhed',
  site: 'Arbejdssted, Lokation, Kontor, Filial, Arbejdsplads, Tjenestested',
  class: 'Klasse, Klasser',
  position: 'Stilling, Stillingsbetegnelse, Jobtitel, Rolle',
  employer: 'Omkostningssted, Firma, Virksomhed, Land, Selskab',
  unsure: { startDate: 'Startdato', endDate: 'Slutdato, Kontrakt slut', position: 'Titel, Funktion' },
  work: 'arbejde, firma, arbejds, kontor',
  notOurs: 'sekundær, alternativ, privat, hjem, hjemme, nødsituation, leder, pårørende',
  statuses: {
    active: 'aktiv, ansat, fuldtid, deltid, på prøve',
    leave: 'orlov, på orlov, barsel, barselsorlov, sygemeldt, langtidssyg',
    ended: `inaktiv, fratrådt, opsagt, afskediget, pensioneret, afdød, spærret, afgået, stoppet,
      opsagt af medarbejder, tidligere medarbejder, på pension, kontrakt ophørt`,
    future: 'ikke startet, kommende',
  },
  yes: 'ja, sand',
  no: 'nej, falsk',
};
