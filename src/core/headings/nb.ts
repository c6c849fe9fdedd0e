// Headings in Norwegian.
import type { Headings } from './headings.ts';

/** Norwegian, bokmål and nynorsk: Visma, Simployer, Tripletex. */
export const nb: Headings = {
  firstname: 'Fornavn, Førenamn',
  callname: 'Kallenavn',
  lastname: 'Etternavn, Etternamn, Slektsnavn',
  fullname: 'Navn, Fullt navn, Ansattnavn, Navn på ansatt, Namn, Fullt namn, Visningsnavn',
  email: `E-post, E-postadresse, E-post adresse, Epostadresse, Jobb-e-post, E-post jobb, E-post arbeid, E-postadresse jobb,
    Arbeidsepost, Firma-epost, Mailadresse`,
  login: 'Brukernavn, Brukarnamn',
  telephone: 'Telefon, Telefonnummer, Tlf., Tlf.nr., Telefonnr.',
  workPhone: 'Telefon arbeid, Telefon jobb, Jobbtelefon, Arbeidstelefon, Tjenestetelefon',
  mobile: 'Mobil, Mobiltelefon, Mobilnummer, Mobilnr., Mobil jobb, Jobbmobil, Mobil arbeid, Tjenestemobil',
  employeeId: 'Ansattnummer, Ansattnr., Ansatt-ID, Ansatt nr, Tilsettnummer',
  startDate:
    'Ansettelsesdato, Tiltredelsesdato, Ansatt dato, Ansatt fra, Første arbeidsdag, Tilsettingsdato, Tiltredingsdato',
  endDate: 'Sluttet dato, Fratredelsesdato, Siste arbeidsdag, Fratredelse, Ansatt til, Oppsigelsesdato',
  status: 'Status, Ansattstatus, Ansettelsesstatus, Aktiv',
  gone: 'Slettet, Avdød, Sluttet, Sluttårsak, Avmeldt, Sperret, Deaktivert, Blokkert',
  group: 'Gruppe, Grupper, Medlem av',
  department: 'Avdeling, Avdelinger, Avdelingsnavn, Divisjon',
  team: 'Team, Teams, Lag',
  unit: 'Organisasjonsenhet, Enhet, Organisatorisk enhet, Eining',
  site: 'Arbeidssted, Lokasjon, Kontor, Kontorsted, Arbeidsplass, Tjenestested, Arbeidsstad',
  class: 'Klasse, Klasser',
  position: 'Stilling, Stillingstittel, Stillingsbetegnelse, Jobbtittel, Rolle, Yrke',
  employer: 'Kostnadssted, Firma, Bedrift, Land, Selskap, Arbeidsgiver',
  unsure: { startDate: 'Startdato', endDate: 'Endring sluttdato, Slutter, Sluttdato', position: 'Tittel, Funksjon' },
  work: 'arbeid, jobb, firma, kontor',
  notOurs: 'sekundær, alternativ, privat, hjem, nødsituasjon, leder, pårørende',
  statuses: {
    active: 'aktiv, ansatt, heltid, deltid, fast, prøvetid',
    leave: 'permisjon, i permisjon, foreldrepermisjon, sykmeldt',
    ended: `inaktiv, sluttet, oppsagt, pensjonert, avdød, sperret, slutta, avsluttet, tidligere ansatt,
      fratrådt, sagt opp, pensjonist`,
    future: 'ikke startet',
  },
  yes: 'ja, sann',
  no: 'nei, usann',
};
