// Headings in Slovene.
import type { Headings } from './headings.ts';

/** Slovene. */
export const sl: Headings = {
  firstname: 'Osebno ime, Krstno ime',
  firstnameBeside: 'Ime, Imena',
  lastname: 'Priimek, Priimki',
  fullname: 'Ime in priimek, Priimek in ime, Polno ime, Ime Priimek, Priimek Ime, Ime zaposlenega',
  email:
    'E-pošta, Elektronska pošta, Elektronski naslov, E-poštni naslov, E-naslov, Službeni e-naslov, Službena e-pošta, Elektronski poštni naslov, Službeni elektronski naslov, E-mail naslov',
  login: 'Uporabniško ime',
  telephone: 'Telefon, Telefonska številka, Tel. številka, Telefonska št.',
  workPhone: 'Službeni telefon, Telefon v službi, Službena telefonska številka, Telefon služba',
  mobile: 'Mobilni telefon, Mobitel, Mobilna številka, GSM, Službeni mobitel, GSM številka, Službeni mobilni telefon',
  employeeId:
    'Matična številka, Številka zaposlenega, Kadrovska številka, Šifra zaposlenega, Matična št., ID zaposlenega, Šifra delavca',
  startDate:
    'Datum zaposlitve, Datum nastopa dela, Začetek zaposlitve, Datum začetka zaposlitve, Zaposlen od, Datum nastopa',
  endDate:
    'Datum prenehanja zaposlitve, Datum odhoda, Konec zaposlitve, Datum prenehanja, Datum prenehanja delovnega razmerja, Zadnji delovni dan',
  status: 'Status, Status zaposlenega, Aktiven, Status zaposlitve',
  gone: 'Blokiran, Neaktiven',
  group: 'Skupina, Skupine',
  department: 'Oddelek, Oddelki, Sektor, Služba, Naziv oddelka',
  team: 'Ekipa, Tim, Ekipe',
  unit: 'Organizacijska enota, Enota, OE',
  site: 'Lokacija, Kraj dela, Poslovalnica, Pisarna, Poslovna enota, Lokacija dela',
  class: 'Razred, Razredi',
  position: 'Delovno mesto, Položaj, Naziv delovnega mesta, Funkcija, Vloga, Poklic',
  employer: 'Stroškovno mesto, Podjetje, Država, Delodajalec',
  unsure: { startDate: 'Datum začetka, Začetek', endDate: 'Datum konca, Konec', position: 'Naziv' },
  work: 'služba, službeni, službena, delo, podjetje',
  notOurs: 'zasebni, zasebna, osebni, domači, doma, nujni, vodja',
  statuses: {
    active: 'aktiven, zaposlen, aktivna, zaposlena',
    leave: 'porodniški dopust, na dopustu, bolniška, starševski dopust',
    ended: `neaktiven, odšel, upokojen, prenehanje, neaktivna, odšla, upokojena, nekdanji zaposleni, odpuščen,
      odpuščena`,
    future: 'prihodnji',
  },
  yes: 'da, drži',
  no: 'ne',
};
