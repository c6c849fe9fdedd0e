// Headings in Swedish.
import type { Headings } from './headings.ts';

/** Swedish: Hogia, Visma, Heroma, Flex. */
export const sv: Headings = {
  firstname: 'Förnamn, Förnamnen',
  callname: 'Tilltalsnamn',
  lastname: 'Efternamn, Släktnamn',
  fullname: 'Namn, Fullständigt namn, Hela namnet, Namn på anställd, Visningsnamn, För- och efternamn',
  email: `E-post, E-postadress, E-postadresser, E-mail, Mejl, Mejladress, Mailadress, Jobbmejl, Arbets-e-post, E-post arbete,
    E-post jobb, E-postadress arbete, Företagsmejl`,
  login: 'Användarnamn',
  telephone: 'Telefon, Telefonnummer, Tel.nr., Tfn, Telefonnr',
  workPhone: 'Telefon arbete, Arbetstelefon, Telefon jobb, Jobbtelefon, Telefonnummer arbete, Tjänstetelefon',
  mobile: 'Mobil, Mobiltelefon, Mobilnummer, Mobilnr, Mobil arbete, Jobbmobil, Mobiltelefon arbete, Tjänstemobil',
  employeeId: 'Anställningsnummer, Anställningsnr, Anst.nr, Anställnings-id, Medarbetarnummer, Löntagarnummer',
  startDate:
    'Anställningsdatum, Anställd från, Anställd fr.o.m., Första arbetsdag, Tillträdesdatum, Anställningens startdatum, Anställningsstart',
  endDate:
    'Avgångsdatum, Slutat datum, Sista arbetsdag, Anställningens slutdatum, Avslutsdatum, Anställd till, Anställd t.o.m.',
  status: 'Status, Anställningsstatus, Medarbetarstatus, Aktiv',
  gone: 'Borttagen, Avliden, Slutat, Avgångsorsak, Avregistrerad, Spärrad, Inaktiverad, Blockerad',
  group: 'Grupp, Grupper, Medlem i',
  department: 'Avdelning, Avdelningar, Avdelningsnamn, Division',
  team: 'Team, Teams, Arbetslag',
  unit: 'Organisationsenhet, Enhet',
  site: 'Arbetsplats, Arbetsställe, Placering, Kontor, Placeringsort, Lokalkontor, Filial',
  class: 'Klass, Klasser',
  position: 'Befattning, Yrke, Roll, Jobbtitel, Befattningsbenämning, Yrkestitel',
  employer: 'Kostnadsställe, Företag, Bolag, Land, Arbetsgivare',
  unsure: { startDate: 'Startdatum', endDate: 'Slutdatum', position: 'Titel, Tjänst, Funktion' },
  work: 'arbete, jobb, jobbet, företag, kontor, tjänst',
  notOurs: 'sekundär, alternativ, privat, hem, nödfall, chef, anhörig',
  statuses: {
    active: 'aktiv, anställd, heltid, deltid, tillsvidare, provanställd',
    leave: 'tjänstledig, föräldraledig, sjukskriven, ledig',
    ended: `inaktiv, avslutad, slutat, uppsagd, pensionerad, avliden, spärrad, uppsagt, tidigare anställd,
      avgått, anställning avslutad, i pension, pensionär, slutat på egen begäran`,
    future: 'ej påbörjad, kommande',
  },
  yes: 'ja, sant',
  no: 'nej, falskt',
};
