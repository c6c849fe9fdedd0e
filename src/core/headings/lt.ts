// Headings in Lithuanian.
import type { Headings } from './headings.ts';

/** Lithuanian: Rivilė, Bonus. */
export const lt: Headings = {
  firstname: '',
  firstnameBeside: 'Vardas, Vardai',
  lastname: 'Pavardė',
  fullname: 'Vardas pavardė, Vardas ir pavardė, Pavardė vardas, Vardas Pavardė, Darbuotojo vardas, Pilnas vardas',
  email:
    'El. paštas, Elektroninis paštas, El. pašto adresas, Elektroninio pašto adresas, Darbo el. paštas, Darbo el. pašto adresas, Darbinis el. paštas',
  login: 'Naudotojo vardas, Vartotojo vardas',
  telephone: 'Telefonas, Telefono numeris, Tel. nr., Telefono nr.',
  workPhone: 'Darbo telefonas, Darbinis telefonas, Darbo telefono numeris',
  mobile: 'Mobilusis telefonas, Mobilus telefonas, Mob. telefonas, Mobiliojo telefono numeris, Mob. tel.',
  employeeId: 'Darbuotojo numeris, Tabelio numeris, Darbuotojo kodas, Tabelio Nr., Darbuotojo Nr., Darbuotojo ID',
  startDate:
    'Įdarbinimo data, Priėmimo data, Darbo pradžia, Priėmimo į darbą data, Įsidarbinimo data, Darbo pradžios data',
  endDate:
    'Atleidimo data, Darbo pabaiga, Išėjimo data, Atleidimo iš darbo data, Darbo pabaigos data, Paskutinė darbo diena',
  status: 'Būsena, Darbuotojo būsena, Statusas, Aktyvus, Darbuotojo statusas',
  gone: 'Užblokuotas, Neaktyvus, Atleistas',
  group: 'Grupė, Grupės',
  department: 'Skyrius, Skyriai, Departamentas, Skyriaus pavadinimas',
  team: 'Komanda, Komandos',
  unit: 'Padalinys, Struktūrinis padalinys, Organizacinis vienetas',
  site: 'Darbo vieta, Filialas, Biuras, Darbovietė, Vietovė',
  class: 'Klasė, Klasės',
  position: 'Pareigos, Pareigybė, Pareigų pavadinimas, Vaidmuo, Profesija',
  employer: 'Kaštų centras, Įmonė, Šalis, Darbdavys',
  unsure: { site: 'Vieta', startDate: 'Pradžios data', endDate: 'Pabaigos data' },
  work: 'darbo, darbas, darbinis, įmonės',
  notOurs: 'asmeninis, privatus, namų, vadovas, avarinis',
  statuses: {
    active: 'aktyvus, dirba, dirbantis',
    leave: 'atostogose, vaiko priežiūros atostogos, motinystės atostogos',
    ended: `neaktyvus, atleistas, nedirba, išėjęs, neaktyvi, atleista, išėjusi, buvęs darbuotojas, pensijoje,
      darbo santykiai nutraukti`,
    future: 'būsimas',
  },
  yes: 'taip',
  no: 'ne',
};
