// Headings in Hungarian.
import type { Headings } from './headings.ts';

/** Hungarian: Nexon, Kulcs-Soft. */
export const hu: Headings = {
  firstname: 'Keresztnév, Utónév, Utónevek, Keresztnevek',
  callname: 'Becenév',
  lastname: 'Vezetéknév, Családnév, Családi név',
  fullname: 'Név, Teljes név, Munkavállaló neve, Dolgozó neve, Vezetéknév és keresztnév, Viselt név',
  email:
    'E-mail, E-mail cím, Email cím, Elektronikus levélcím, Munkahelyi e-mail, Munkahelyi e-mail cím, Céges e-mail, Céges e-mail cím, Hivatali e-mail cím, Villanyposta, Céges email',
  login: 'Felhasználónév, Bejelentkezési név',
  telephone: 'Telefon, Telefonszám, Tel.szám',
  workPhone: 'Munkahelyi telefon, Munkahelyi telefonszám, Céges telefon, Céges telefonszám, Hivatali telefon',
  mobile: 'Mobil, Mobiltelefon, Mobilszám, Mobiltelefonszám, Céges mobil, Mobil telefonszám',
  employeeId:
    'Törzsszám, Dolgozói azonosító, Munkavállalói azonosító, Dolgozói törzsszám, Személyügyi törzsszám, Dolgozókód, Munkavállaló azonosító',
  startDate:
    'Belépés dátuma, Belépés napja, Munkába lépés dátuma, Munkaviszony kezdete, Belépési dátum, Munkába állás dátuma, Jogviszony kezdete',
  endDate:
    'Kilépés dátuma, Kilépés napja, Munkaviszony vége, Kilépési dátum, Munkaviszony megszűnése, Jogviszony vége, Utolsó munkanap',
  status: 'Státusz, Állapot, Munkavállaló állapota, Aktív, Dolgozó státusza',
  gone: 'Letiltva, Zárolt, Inaktív, Felfüggesztve',
  group: 'Csoport, Csoportok, Tagság',
  department: 'Osztály, Részleg, Főosztály, Osztály neve, Részleg neve',
  team: 'Csapat, Team, Csapat neve',
  unit: 'Szervezeti egység, Szervezet, Egység',
  site: 'Telephely, Munkahely, Munkavégzés helye, Iroda, Fióktelep, Helyszín',
  position: 'Munkakör, Beosztás, Pozíció, Munkakör megnevezése, Szerepkör, Foglalkozás',
  employer: 'Költséghely, Cég, Vállalat, Ország, Munkáltató',
  unsure: {
    startDate: 'Belépés, Kezdő dátum, Kezdete, Kezdés dátuma',
    endDate: 'Kilépés, Befejező dátum, Vége, Lejárat',
    position: 'Titulus',
  },
  work: 'munkahelyi, céges, hivatali, munka, iroda',
  notOurs: 'privát, magán, otthoni, saját, vészhelyzet, felettes, személyes',
  statuses: {
    active: 'aktív, alkalmazott, alkalmazásban',
    leave: 'gyed, gyes, szülési szabadság, fizetés nélküli szabadság, tartós távollét, csed',
    ended: `inaktív, kilépett, elbocsátott, nyugdíjas, letiltva, megszűnt, kilépett dolgozó, felmondott,
      nyugdíjba ment, volt dolgozó, elhunyt`,
    future: 'leendő, belépés előtt',
  },
  yes: 'igen, igaz',
  no: 'nem, hamis',
};
