// Headings in Croatian.
import type { Headings } from './headings.ts';

/** Croatian. */
export const hr: Headings = {
  firstname: 'Osobno ime, Vlastito ime',
  firstnameBeside: 'Ime, Imena',
  lastname: 'Prezime, Prezimena',
  fullname: 'Ime i prezime, Prezime i ime, Puno ime, Ime Prezime, Prezime Ime, Ime zaposlenika, Puno ime i prezime',
  email:
    'E-pošta, Elektronička pošta, E-mail adresa, Adresa e-pošte, Email adresa, Službeni e-mail, Službena e-pošta, Poslovni e-mail, Elektronička adresa, E-adresa, Službena e-mail adresa',
  login: 'Korisničko ime',
  telephone: 'Telefon, Broj telefona, Telefonski broj, Tel. broj',
  workPhone: 'Službeni telefon, Poslovni telefon, Telefon na poslu, Telefon posao, Službeni broj telefona',
  mobile: 'Mobitel, Mobilni telefon, Broj mobitela, Službeni mobitel, Broj mobilnog telefona, Poslovni mobitel',
  employeeId:
    'Matični broj, Broj zaposlenika, Šifra zaposlenika, ID zaposlenika, Matični broj radnika, Šifra radnika, Broj radnika',
  startDate:
    'Datum zaposlenja, Datum zapošljavanja, Datum početka rada, Početak rada, Zaposlen od, Datum zasnivanja radnog odnosa',
  endDate:
    'Datum prestanka rada, Datum odlaska, Datum prestanka radnog odnosa, Kraj zaposlenja, Prestanak rada, Zadnji radni dan',
  status: 'Status, Status zaposlenika, Aktivan, Status zaposlenja',
  gone: 'Blokiran, Neaktivan',
  group: 'Grupa, Grupe, Skupina, Skupine',
  department: 'Odjel, Odjeli, Sektor, Odsjek, Naziv odjela, Služba',
  team: 'Tim, Timovi, Naziv tima, Ekipa',
  unit: 'Organizacijska jedinica, Jedinica',
  site: 'Lokacija, Mjesto rada, Poslovnica, Ured, Podružnica, Lokacija rada',
  class: 'Razred, Razredi',
  position: 'Radno mjesto, Pozicija, Funkcija, Naziv radnog mjesta, Uloga, Zanimanje',
  employer: 'Mjesto troška, Tvrtka, Poduzeće, Država, Poslodavac',
  unsure: { startDate: 'Datum početka, Početak', endDate: 'Datum završetka, Kraj', position: 'Naziv, Titula' },
  work: 'posao, službeni, službena, poslovni, rad',
  notOurs: 'privatni, privatna, osobni, kućni, hitni, voditelj',
  statuses: {
    active: 'aktivan, zaposlen, aktivna, zaposlena',
    leave: 'rodiljni dopust, na dopustu, bolovanje, roditeljski dopust',
    ended: `neaktivan, otišao, umirovljen, otpušten, neaktivna, otišla, umirovljena, otpuštena,
      bivši zaposlenik, raskid ugovora, odjavljen`,
    future: 'budući',
  },
  yes: 'da, točno',
  no: 'ne',
};
