// Headings in Maltese.
import type { Headings } from './headings.ts';

/** Maltese. */
export const mt: Headings = {
  firstname: 'L-ewwel isem',
  firstnameBeside: 'Isem',
  lastname: 'Kunjom',
  fullname: 'Isem u kunjom, Isem sħiħ, Kunjom u isem, L-isem sħiħ',
  email:
    'Indirizz elettroniku, Indirizz tal-email, Posta elettronika, Indirizz tal-posta elettronika, Email tax-xogħol, Indirizz e-mail',
  login: 'Isem tal-utent',
  telephone: 'Telefown, Numru tat-telefown, Numru tat-telefon, Nru tat-telefown',
  workPhone: 'Telefown tax-xogħol, Numru tat-telefown tax-xogħol',
  mobile: 'Mowbajl, Numru tal-mowbajl, Numru tal-mobile',
  employeeId: 'Numru tal-impjegat, Nru tal-impjegat, ID tal-impjegat',
  startDate: "Data tal-impjieg, Data ta' meta beda jaħdem, Data tal-bidu tal-impjieg, Data tal-ingaġġ",
  endDate: 'Data tat-tmiem tal-impjieg, Data tat-tluq, Data tat-terminazzjoni',
  status: 'Stat tal-impjieg, Stat tal-impjegat, Attiv',
  gone: 'Imblukkat',
  group: 'Grupp, Gruppi',
  department: 'Dipartiment, Dipartimenti, Direttorat, Taqsima',
  team: 'Tim',
  unit: 'Unità organizzattiva',
  site: 'Post tax-xogħol, Uffiċċju, Lok tax-xogħol, Fergħa',
  class: 'Klassi',
  position: 'Pożizzjoni, Titlu tax-xogħol, Kariga, Rwol',
  employer: 'Kumpanija, Pajjiż, Ċentru tal-ispejjeż',
  unsure: { status: 'Stat', startDate: 'Data tal-bidu', endDate: 'Data tat-tmiem' },
  work: 'xogħol, tax-xogħol, uffiċċju',
  notOurs: 'privat, personali, dar, emerġenza',
  statuses: {
    active: 'attiv, attiva',
    leave: 'bil-leave',
    ended: 'mhux attiv, telaq, irtirat, spiċċa, tkeċċa, mhux attiva',
  },
  yes: 'iva',
  no: 'le',
};
