// Headings of whole names in which the last name comes first.

/** Headings (`columnKey`) of whole names whose last name comes first, also without a comma: `Иванов Иван`, `Nagy Anna`, `山田 太郎`. */
export const lastNamesFirst: ReadonlySet<string> = new Set([
  ...['фио', 'фамилияимя', 'фамилияимяотчество', 'фамилияиимя', 'піб', 'прізвищеімя', 'прізвищеімяпобатькові'],
  ...['teljesnév', 'név', '氏名', '名前', '姓名', '이름', '성명', 'sukunimijaetunimi', 'sukunimietunimi'],
  ...['lastnamefirstname', 'surnamefirstname', 'nachnamevorname', 'nachnameundvorname', 'namevorname', 'namevornamen'],
  ...[
    'nomprénom',
    'nomprenom',
    'nometprénom',
    'nometprenom',
    'achternaamvoornaam',
    'naamvoornaam',
    'apellidosnombre',
    'apellidosynombre',
  ],
  ...['apellidosynombres', 'cognomenome', 'cognomeenome', 'efternavnfornavn', 'etternavnfornavn', 'efternamnförnamn'],
  ...[
    'nazwiskoiimię',
    'nazwiskoimię',
    'příjmeníajméno',
    'příjmeníjméno',
    'priezviskoameno',
    'numeprenume',
    'soyadıadı',
  ],
  ...['prezimeiime', 'priimekinime', 'uzvārdsvārds', 'επώνυμοόνομα', 'xingming'],
]);
