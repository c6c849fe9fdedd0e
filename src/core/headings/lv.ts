// Headings in Latvian.
import type { Headings } from './headings.ts';

/** Latvian: Horizon, Jumis. */
export const lv: Headings = {
  firstname: 'Priekšvārds',
  firstnameBeside: 'Vārds, Vārdi',
  lastname: 'Uzvārds',
  fullname: 'Vārds uzvārds, Vārds un uzvārds, Pilns vārds, Uzvārds vārds, Darbinieka vārds',
  email: 'E-pasts, E-pasta adrese, Epasts, Darba e-pasts, Elektroniskais pasts, E-pasts darbā, Darba e-pasta adrese',
  login: 'Lietotājvārds',
  telephone: 'Tālrunis, Tālruņa numurs, Telefons, Telefona numurs, Tālr.',
  workPhone: 'Darba tālrunis, Darba telefons, Darba tālruņa numurs',
  mobile: 'Mobilais tālrunis, Mobilais, Mobilā tālruņa numurs, Mobilais telefons, Mob. tālrunis',
  employeeId: 'Darbinieka numurs, Tabeles numurs, Darbinieka Nr., Darbinieka kods, Tabeles Nr.',
  startDate: 'Darba sākuma datums, Pieņemšanas datums, Darba attiecību sākums, Darba uzsākšanas datums',
  endDate: 'Atlaišanas datums, Darba beigu datums, Darba attiecību beigas, Atbrīvošanas datums, Pēdējā darba diena',
  status: 'Statuss, Darbinieka statuss, Aktīvs, Nodarbinātības statuss',
  gone: 'Bloķēts, Neaktīvs, Atlaists',
  group: 'Grupa, Grupas',
  department: 'Nodaļa, Nodaļas, Departaments, Nodaļas nosaukums, Daļa',
  team: 'Komanda, Komandas',
  unit: 'Struktūrvienība, Vienība, Struktūrvienības nosaukums',
  site: 'Darba vieta, Atrašanās vieta, Filiāle, Birojs',
  class: 'Klase, Klases',
  position: 'Amats, Amata nosaukums, Loma, Profesija',
  employer: 'Izmaksu centrs, Uzņēmums, Valsts, Darba devējs',
  unsure: { startDate: 'Sākuma datums', endDate: 'Beigu datums', fullname: 'Darbinieks' },
  work: 'darba, darbs, darbā, uzņēmuma',
  notOurs: 'privāts, privātais, personīgais, mājas, ārkārtas, vadītājs',
  statuses: {
    active: 'aktīvs, strādā',
    leave: 'atvaļinājumā, bērna kopšanas atvaļinājums, dekrētā',
    ended: 'neaktīvs, atlaists, atbrīvots, pensijā',
    future: 'gaidāms',
  },
  yes: 'jā',
  no: 'nē',
};
