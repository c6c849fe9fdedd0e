// Headings in Icelandic.
import type { Headings } from './headings.ts';

/** Icelandic: Kjarni, H3. */
export const is: Headings = {
  firstname: 'Fornafn, Eiginnafn, Skírnarnafn',
  lastname: 'Eftirnafn, Kenninafn, Ættarnafn',
  fullname: 'Nafn, Fullt nafn, Nafn starfsmanns',
  email: 'Netfang, Tölvupóstur, Tölvupóstfang, Vinnunetfang, Netfang vinna, Netfang í vinnu, Vinnupóstur',
  login: 'Notandanafn, Notendanafn',
  telephone: 'Sími, Símanúmer',
  workPhone: 'Vinnusími, Sími vinna, Sími í vinnu',
  mobile: 'Farsími, Gsm, GSM-númer, Farsímanúmer, GSM sími',
  employeeId: 'Starfsmannanúmer, Starfsmannsnúmer, Launþeganúmer, Launamannsnúmer',
  startDate: 'Ráðningardagur, Ráðningardagsetning, Dagsetning ráðningar, Hóf störf, Fyrsti vinnudagur',
  endDate: 'Starfslok, Starfslokadagur, Hætti störfum, Síðasti vinnudagur, Dagsetning starfsloka',
  status: 'Staða starfsmanns, Virkur',
  gone: 'Óvirkur, Læstur',
  group: 'Hópur, Hópar',
  department: 'Deild, Deildir, Svið, Heiti deildar',
  team: 'Teymi',
  unit: 'Skipulagseining, Eining',
  site: 'Starfsstöð, Vinnustaður, Staðsetning, Útibú, Skrifstofa',
  position: 'Starfsheiti, Starf, Hlutverk',
  employer: 'Kostnaðarstaður, Fyrirtæki, Land, Vinnuveitandi',
  unsure: {
    status: 'Staða',
    position: 'Staða, Titill',
    startDate: 'Upphafsdagur, Upphafsdagsetning',
    endDate: 'Lokadagur, Lokadagsetning',
  },
  work: 'vinna, í vinnu, fyrirtæki',
  notOurs: 'einka, heima, neyðar, yfirmaður',
  statuses: {
    active: 'virkur, í starfi',
    leave: 'í leyfi, fæðingarorlof, orlof',
    ended: 'óvirkur, hættur, hætt, hætti, fyrrverandi starfsmaður, á eftirlaunum, sagt upp',
    future: 'væntanlegur',
  },
  yes: 'já',
  no: 'nei',
};
