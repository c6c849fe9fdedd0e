// Headings in Irish.
import type { Headings } from './headings.ts';

/** Irish. */
export const ga: Headings = {
  firstname: 'Céadainm, Céad ainm, Ainm baiste, An chéad ainm',
  lastname: 'Sloinne',
  fullname: 'Ainm iomlán, Ainm agus sloinne, Ainm, Ainm an fhostaí',
  email: 'Ríomhphost, Seoladh ríomhphoist, R-phost, Ríomhphost oibre, Seoladh ríomhphoist oibre',
  login: 'Ainm úsáideora',
  telephone: 'Guthán, Uimhir ghutháin, Teileafón, Uimhir theileafóin, Fón, Uimhir fóin',
  workPhone: 'Guthán oibre, Fón oibre, Uimhir oibre',
  mobile: 'Fón póca, Guthán póca, Uimhir fóin phóca, Móibíleach',
  employeeId: 'Uimhir fostaí, Uimhir an fhostaí, Aitheantas fostaí, Uimhir foirne, ID fostaí',
  startDate: 'Dáta fostaíochta, Dáta tosaithe fostaíochta, Dáta tosaithe oibre',
  endDate: 'Dáta críochnaithe fostaíochta, Dáta imeachta, Lá deireanach oibre',
  status: 'Stádas, Stádas fostaíochta, Gníomhach, Stádas fostaí',
  gone: 'Díghníomhach, Blocáilte',
  group: 'Grúpa, Grúpaí',
  department: 'Roinn, Ranna, Rannóg, Ainm na roinne',
  team: 'Foireann, Foirne',
  unit: 'Aonad eagraíochta, Aonad',
  site: 'Suíomh, Láthair oibre, Oifig, Brainse, Áit oibre',
  class: 'Rang, Ranganna',
  position: 'Post, Teideal poist, Ról, Teideal an phoist',
  employer: 'Lárionad costais, Cuideachta, Comhlacht, Tír, Fostóir',
  unsure: { startDate: 'Dáta tosaithe, Dáta tosaigh', endDate: 'Dáta críochnaithe, Dáta deiridh', position: 'Teideal' },
  work: 'obair, oibre, oifig',
  notOurs: 'pearsanta, príobháideach, baile, éigeandáil, bainisteoir',
  statuses: {
    active: 'gníomhach, fostaithe',
    leave: 'ar saoire, saoire mháithreachais',
    ended: 'neamhghníomhach, scortha, imithe, éirithe as, iarfhostaí',
    future: 'le teacht',
  },
  yes: 'tá, fíor',
  no: 'níl, bréagach',
};
