// Headings in Estonian.
import type { Headings } from './headings.ts';

/** Estonian: Persona, Taavi. */
export const et: Headings = {
  firstname: 'Eesnimi, Eesnimed',
  lastname: 'Perekonnanimi, Perenimi',
  fullname: 'Nimi, Täisnimi, Töötaja nimi, Ees- ja perekonnanimi, Ees- ja perenimi',
  email: 'E-post, E-posti aadress, E-mail, Meiliaadress, E-maili aadress, Tööalane e-post, Töö e-post, Meil',
  login: 'Kasutajanimi, Kasutajatunnus',
  telephone: 'Telefon, Telefoninumber, Telefoni number, Telefoni nr',
  workPhone: 'Töötelefon, Tööalane telefon',
  mobile: 'Mobiil, Mobiiltelefon, Mobiilinumber, Mobiiltelefoni number, Mobiili number',
  employeeId: 'Töötaja number, Töötajanumber, Tabelinumber, Töötaja kood, Töötaja ID',
  startDate:
    'Tööle asumise kuupäev, Tööleasumise kuupäev, Tööle asumine, Töösuhte algus, Töösuhte alguskuupäev, Esimene tööpäev',
  endDate: 'Töölt lahkumise kuupäev, Lahkumise kuupäev, Töösuhte lõpp, Töösuhte lõppkuupäev, Viimane tööpäev',
  status: 'Staatus, Töötaja staatus, Aktiivne',
  gone: 'Blokeeritud, Mitteaktiivne, Lahkunud',
  group: 'Grupp, Grupid, Rühm, Rühmad',
  department: 'Osakond, Osakonnad, Osakonna nimi',
  team: 'Meeskond, Tiim, Meeskonnad',
  unit: 'Struktuuriüksus, Üksus, Allüksus',
  site: 'Asukoht, Kontor, Töö asukoht, Filiaal, Töötamise koht',
  class: 'Klass, Klassid',
  position: 'Ametikoht, Ametinimetus, Amet, Roll, Positsioon',
  employer: 'Kulukoht, Ettevõte, Riik, Tööandja',
  unsure: { site: 'Töökoht', startDate: 'Alguskuupäev, Algus', endDate: 'Lõppkuupäev, Lõpp' },
  work: 'töö, tööalane, ettevõte',
  notOurs: 'isiklik, kodune, kodu, era, hädaolukord, juht',
  statuses: {
    active: 'aktiivne, töötab',
    leave: 'puhkusel, lapsehoolduspuhkus, emapuhkus',
    ended: 'mitteaktiivne, lahkunud, töölt lahkunud, lahkus, töösuhe lõppenud, pensionil, vallandatud',
    future: 'tulevane',
  },
  yes: 'jah',
  no: 'ei',
};
