/** What a heading of an export means; `none` where it must be left to a person: somebody else's, private, or unclear. */
export interface ExportHeading {
  /** BCP 47. */
  language: string;
  /** The system that writes it, or how somebody wrote it. */
  system: string;
  heading: string;
  means: string;
  /** Headings of the same export without which it would not be clear. */
  beside: string[];
}

/** Language | system or style | heading | what it means | headings beside it. Written before the tables of words were. */
const lines = `
en | BambooHR | First Name | firstname
en | BambooHR | Last Name | lastname
en | BambooHR | Work Email | email
en | BambooHR | Mobile Phone | telephone
en | BambooHR | Hire Date | startDate
en | BambooHR | Employment Status | status
en | BambooHR | Job Title | position
en | BambooHR | Employee # | employeeId
en | Workday | Legal_Name_First_Name | firstname
en | Workday | primaryWorkEmail | email
en | Workday | Worker_Status | status
en | Workday | Supervisory Organization | department
en | Workday | Termination Date | endDate
en | SuccessFactors | Business E-Mail Information Email Address | email
en | SuccessFactors | Employment Details Hire Date | startDate
en | ADP | Legal First Name | firstname
en | ADP | Work Contact: Work Email | email
en | ADP | Home Department Description | department
en | ADP | Position Status | status
en | ADP | Associate ID | employeeId
en | UKG | Employee Number | employeeId
en | UKG | Preferred First Name | firstname
en | UKG | Date of Last Hire | startDate
en | UKG | Org Level 1 | none
en | HiBob | root.surname | lastname
en | HiBob | work.department | department
en | HiBob | work.site | site
en | Google Workspace | Email Address [Required] | email
en | Google Workspace | Org Unit Path [Required] | unit
en | Entra | Office phone [telephoneNumber] | telephone
en | full-width | Ｅｍａｉｌ | email
en | shouting | GIVEN_NAME | firstname
en | starred | * Surname: | lastname
de | Personio | Vorname | firstname
de | Personio | Nachname | lastname
de | Personio | E-Mail | email
de | Personio | Abteilung | department
de | Personio | Team | team
de | Personio | Arbeitsort | site
de | Personio | Einstellungsdatum | startDate
de | Personio | Austrittsdatum | endDate
de | Personio | Mitarbeiter-ID | employeeId
de | DATEV | Personalnummer | employeeId
de | DATEV | Familienname | lastname
de | DATEV | Name | lastname | Vorname
de | SAP | Pers.-Nr. | employeeId
de | SAP | Organisationseinheit | unit
de | rexx | Geschäftliche E-Mail-Adresse | email
de | rexx | Telefon (geschäftlich) | telephone
de | HRworks | Eintrittsdatum | startDate
de | HRworks | Kostenstelle | none
de | by hand, without umlauts | Geschaeftliche E-Mail | email
de | by hand | Rufname | firstname
de | by hand | Bereich | department
de | by hand | Gruppen | group
de | by hand | Rolle | position
de | Swiss, two languages | Nom / Nachname | lastname
nl | AFAS | Roepnaam | firstname
nl | AFAS | Achternaam | lastname
nl | AFAS | E-mail werk | email
nl | AFAS | Medewerker | none
nl | AFAS | Afdeling | department
nl | AFAS | Functie | position
nl | AFAS | Datum in dienst | startDate
nl | AFAS | Datum uit dienst | endDate
nl | Visma | Medewerkernummer | employeeId
nl | Visma | Zakelijk e-mailadres | email
nl | Nmbrs | Telefoon werk | telephone
nl | Nmbrs | Vestiging | site
nl | Flemish | Naam | lastname | Voornaam
nl | by hand | Groepen | group
fr | Silae | Matricule | employeeId
fr | Silae | Nom de famille | lastname
fr | Lucca | Prénom | firstname
fr | Lucca | Adresse e-mail professionnelle | email
fr | Lucca | Service | department
fr | Lucca | Date d'entrée | startDate
fr | Lucca | Date de sortie | endDate
fr | Factorial | Équipe | team
fr | Factorial | Lieu de travail | site
fr | ADP | Nom | lastname | Prénom
fr | Canadian | Courriel | email
fr | Canadian | Téléphone au travail | telephone
fr | without accents | PRENOM | firstname
fr | by hand | Groupe(s) | group
fr | by hand | Intitulé du poste | position
fr | by hand | Statut | status
es | Factorial | Nombre | firstname | Apellidos
es | Factorial | Apellidos | lastname
es | Factorial | Correo electrónico | email
es | Factorial | Fecha de contratación | startDate
es | Factorial | Equipo | team
es | A3 | Departamento | department
es | A3 | Puesto de trabajo | position
es | A3 | Centro de trabajo | site
es | A3 | Fecha de baja | endDate
es | Meta4 | Número de empleado | employeeId
es | by hand | Teléfono móvil | telephone
es | by hand | Grupos | group
es | Mexican | Apellido Paterno | none
it | Zucchetti | Cognome | lastname
it | Zucchetti | Nome | firstname | Cognome
it | Zucchetti | Matricola | employeeId
it | Zucchetti | Data assunzione | startDate
it | Zucchetti | Data cessazione | endDate
it | Zucchetti | Reparto | department
it | Factorial | Email aziendale | email
it | by hand | Telefono | telephone
it | by hand | Sede di lavoro | site
it | by hand | Mansione | position
it | by hand | Gruppo | group
pt | Factorial | Nome próprio | firstname
pt | Gupy, Brazil | Sobrenome | lastname
pt | TOTVS, Brazil | Matrícula | employeeId
pt | TOTVS, Brazil | Data de admissão | startDate
pt | TOTVS, Brazil | Data de demissão | endDate
pt | by hand | E-mail corporativo | email
pt | by hand | Departamento | department
pt | by hand | Telemóvel | telephone
pt | by hand | Cargo | position
pt | by hand | Equipa | team
pt | by hand | Nome | firstname | Sobrenome
pt | Brazilian or Portuguese | Apelido | none
da | Visma | Fornavn | firstname
da | Visma | Efternavn | lastname
da | Visma | Medarbejdernummer | employeeId
da | DataLøn | Ansættelsesdato | startDate
da | DataLøn | Fratrædelsesdato | endDate
da | by hand | E-mail (arbejde) | email
da | by hand | Arbejdstelefon | telephone
da | by hand | Afdeling | department
da | by hand | Stilling | position
da | by hand | Arbejdssted | site
da | by hand, without letters | Ansaettelsesdato | startDate
sv | Hogia | Förnamn | firstname
sv | Hogia | Efternamn | lastname
sv | Hogia | Anställningsnummer | employeeId
sv | Visma | E-postadress | email
sv | Visma | Anställningsdatum | startDate
sv | Visma | Slutdatum | none
sv | by hand | Avdelning | department
sv | by hand | Befattning | position
sv | by hand | Telefon arbete | telephone
sv | by hand | Arbetsplats | site
sv | by hand | Grupper | group
nb | Visma | Fornavn | firstname
nb | Visma | Etternavn | lastname
nb | Visma | Ansattnummer | employeeId
nb | Simployer | E-post jobb | email
nb | Simployer | Avdeling | department
nb | Simployer | Stillingstittel | position
nb | by hand | Ansettelsesdato | startDate
nb | by hand | Sluttdato | none
nb | by hand | Mobiltelefon | telephone
nb | nynorsk | Førenamn | firstname
fi | Sympa | Etunimi | firstname
fi | Sympa | Sukunimi | lastname
fi | Sympa | Sähköposti | email
fi | Sympa | Henkilönumero | employeeId
fi | Mepco | Työsuhteen alkamispäivä | startDate
fi | Mepco | Työsuhteen päättymispäivä | endDate
fi | Mepco | Osasto | department
fi | by hand | Kutsumanimi | firstname
fi | by hand | Puhelinnumero | telephone
fi | by hand | Tehtävänimike | position
fi | by hand | Toimipaikka | site
fi | by hand | Tiimi | team
is | Kjarni | Fornafn | firstname
is | Kjarni | Eftirnafn | lastname
is | Kjarni | Netfang | email
is | Kjarni | Deild | department
is | Kjarni | Starfsheiti | position
is | by hand | Sími | telephone
is | by hand | Starfsmannanúmer | employeeId
is | by hand | Ráðningardagur | startDate
pl | enova365 | Imię | firstname
pl | enova365 | Nazwisko | lastname
pl | enova365 | Numer ewidencyjny | employeeId
pl | enova365 | Data zatrudnienia | startDate
pl | enova365 | Data zwolnienia | endDate
pl | enova365 | Wydział | department
pl | by hand | Adres e-mail | email
pl | by hand | Telefon służbowy | telephone
pl | by hand | Stanowisko | position
pl | by hand | Dział | department
pl | by hand | Zespół | team
pl | by hand, without letters | Imie | firstname
cs | Helios | Jméno | firstname | Příjmení
cs | Helios | Příjmení | lastname
cs | Helios | Osobní číslo | employeeId
cs | Helios | Datum nástupu | startDate
cs | Helios | Datum ukončení | none
cs | Vema | Středisko | none
cs | by hand | Pracovní e-mail | email
cs | by hand | Oddělení | department
cs | by hand | Pracovní pozice | position
cs | by hand | Telefon | telephone
cs | by hand | Pracoviště | site
sk | by hand | Meno | firstname | Priezvisko
sk | by hand | Priezvisko | lastname
sk | by hand | Pracovný e-mail | email
sk | by hand | Oddelenie | department
sk | by hand | Osobné číslo | employeeId
sk | by hand | Dátum nástupu | startDate
sk | by hand | Pracovisko | site
sl | by hand | Priimek | lastname
sl | by hand | Ime | firstname | Priimek
sl | by hand | Elektronski naslov | email
sl | by hand | Oddelek | department
sl | by hand | Delovno mesto | position
sl | by hand | Datum zaposlitve | startDate
sl | by hand | Matična številka | employeeId
hr | by hand | Prezime | lastname
hr | by hand | Ime | firstname | Prezime
hr | by hand | E-pošta | email
hr | by hand | Odjel | department
hr | by hand | Radno mjesto | position
hr | by hand | Datum zaposlenja | startDate
hr | by hand | Broj telefona | telephone
hu | Nexon | Keresztnév | firstname
hu | Nexon | Vezetéknév | lastname
hu | Nexon | Törzsszám | employeeId
hu | Nexon | Belépés dátuma | startDate
hu | Nexon | Kilépés dátuma | endDate
hu | by hand | E-mail cím | email
hu | by hand | Osztály | department
hu | by hand | Munkakör | position
hu | by hand | Telefonszám | telephone
hu | by hand | Név | fullname
ro | by hand | Prenume | firstname
ro | by hand | Nume | lastname | Prenume
ro | by hand | Nume de familie | lastname
ro | by hand | Adresă de e-mail | email
ro | by hand | Departament | department
ro | by hand | Funcția | position
ro | by hand | Data angajării | startDate
ro | by hand | Marca | none
ro | by hand | Telefon serviciu | telephone
bg | by hand | Име | firstname | Фамилия
bg | by hand | Фамилия | lastname
bg | by hand | Имейл | email
bg | by hand | Отдел | department
bg | by hand | Длъжност | position
bg | by hand | Дата на постъпване | startDate
bg | by hand | Телефон | telephone
bg | by hand | Презиме | none
el | SoftOne | Επώνυμο | lastname
el | SoftOne | Όνομα | firstname | Επώνυμο
el | SoftOne | Τμήμα | department
el | SoftOne | Ημερομηνία πρόσληψης | startDate
el | by hand | Διεύθυνση email | email
el | by hand, capitals | ΤΗΛΕΦΩΝΟ | telephone
el | by hand | Θέση εργασίας | position
el | by hand | Ονοματεπώνυμο | fullname
et | by hand | Eesnimi | firstname
et | by hand | Perekonnanimi | lastname
et | by hand | E-posti aadress | email
et | by hand | Osakond | department
et | by hand | Ametikoht | position
et | by hand | Tööle asumise kuupäev | startDate
et | by hand | Telefoninumber | telephone
lv | by hand | Vārds | firstname | Uzvārds
lv | by hand | Uzvārds | lastname
lv | by hand | E-pasta adrese | email
lv | by hand | Nodaļa | department
lv | by hand | Amats | position
lv | by hand | Tālrunis | telephone
lv | by hand | Darba sākuma datums | startDate
lt | by hand | Vardas | firstname | Pavardė
lt | by hand | Pavardė | lastname
lt | by hand | El. paštas | email
lt | by hand | Skyrius | department
lt | by hand | Pareigos | position
lt | by hand | Telefono numeris | telephone
lt | by hand | Įdarbinimo data | startDate
mt | by hand | Isem | firstname | Kunjom
mt | by hand | Kunjom | lastname
mt | by hand | Indirizz elettroniku | email
mt | by hand | Dipartiment | department
mt | by hand | Telefown | telephone
ga | by hand | Céadainm | firstname
ga | by hand | Sloinne | lastname
ga | by hand | Ríomhphost | email
ga | by hand | Roinn | department
ga | by hand | Guthán | telephone
ga | by hand | Dáta tosaithe | none
tr | Logo | Adı | firstname | Soyadı
tr | Logo | Soyadı | lastname
tr | Logo | Sicil No | employeeId
tr | Logo | İşe Giriş Tarihi | startDate
tr | Logo | İşten Çıkış Tarihi | endDate
tr | by hand | E-posta | email
tr | by hand, capitals | DEPARTMAN | department
tr | by hand | Bölüm | department
tr | by hand | Ünvan | position
tr | by hand | Cep Telefonu | telephone
tr | by hand | Adı Soyadı | fullname
uk | BAS | Ім'я | firstname | Прізвище
uk | BAS | Прізвище | lastname
uk | BAS | Табельний номер | employeeId
uk | BAS | Дата прийому на роботу | startDate
uk | BAS | Підрозділ | department
uk | by hand | Електронна пошта | email
uk | by hand | Посада | position
uk | by hand | Телефон | telephone
uk | by hand | ПІБ | fullname
ru | 1C | Фамилия | lastname
ru | 1C | Имя | firstname | Фамилия
ru | 1C | Табельный номер | employeeId
ru | 1C | Подразделение | department
ru | 1C | Должность | position
ru | 1C | Дата приема | startDate
ru | 1C | Дата увольнения | endDate
ru | by hand | Электронная почта | email
ru | by hand | Рабочий телефон | telephone
ru | by hand | ФИО | fullname
ja | SmartHR | 姓 | lastname
ja | SmartHR | 名 | firstname | 姓
ja | SmartHR | 社員番号 | employeeId
ja | SmartHR | メールアドレス | email
ja | SmartHR | 部署 | department
ja | SmartHR | 役職 | position
ja | SmartHR | 入社年月日 | startDate
ja | SmartHR | 退職年月日 | endDate
ja | SmartHR | 在籍状況 | status
ja | freee | 氏名 | fullname
ja | freee | 電話番号 | telephone
ja | half-width kana | ﾒｰﾙｱﾄﾞﾚｽ | email
ja | SmartHR | 勤務地 | site
zh-Hans | Beisen | 工号 | employeeId
zh-Hans | Beisen | 姓名 | fullname
zh-Hans | Beisen | 部门 | department
zh-Hans | Beisen | 职位 | position
zh-Hans | Beisen | 入职日期 | startDate
zh-Hans | Beisen | 离职日期 | endDate
zh-Hans | DingTalk | 手机号 | telephone
zh-Hans | DingTalk | 企业邮箱 | email
zh-Hans | by hand | 电子邮箱 | email
zh-Hans | by hand | 姓 | lastname
zh-Hans | by hand | 名字 | firstname | 姓
zh-Hans | by hand | 工作地点 | site
zh-Hant | 104 | 員工編號 | employeeId
zh-Hant | 104 | 部門 | department
zh-Hant | 104 | 職稱 | position
zh-Hant | 104 | 到職日 | startDate
zh-Hant | 104 | 離職日 | endDate
zh-Hant | by hand | 電子郵件 | email
zh-Hant | by hand | 公司信箱 | email
zh-Hant | by hand | 姓氏 | lastname
zh-Hant | by hand | 電話 | telephone
ko | Flex | 이름 | none
ko | Flex | 성 | lastname
ko | Flex | 사번 | employeeId
ko | Flex | 부서 | department
ko | Flex | 직책 | position
ko | Flex | 입사일 | startDate
ko | Flex | 퇴사일 | endDate
ko | by hand | 이메일 | email
ko | by hand | 휴대폰 번호 | telephone
ko | by hand | 근무지 | site
ar | Jisr | الاسم الأول | firstname
ar | Jisr | اسم العائلة | lastname
ar | Jisr | البريد الإلكتروني | email
ar | Jisr | القسم | department
ar | Jisr | المسمى الوظيفي | position
ar | Jisr | الرقم الوظيفي | employeeId
ar | Jisr | تاريخ التعيين | startDate
ar | by hand, without hamza | البريد الالكتروني | email
ar | by hand | رقم الهاتف | telephone
ar | by hand | الفريق | team
he | Hilan | שם פרטי | firstname
he | Hilan | שם משפחה | lastname
he | Hilan | דוא"ל | email
he | Hilan | מספר עובד | employeeId
he | Hilan | מחלקה | department
he | Hilan | תאריך תחילת עבודה | startDate
he | by hand | טלפון נייד | telephone
he | by hand | תפקיד | position
en | BambooHR | Home Email | none
en | BambooHR | Personal Email | none
en | BambooHR | Home Phone | none
en | BambooHR | Emergency Contact Name | none
en | BambooHR | Emergency Contact Phone | none
en | BambooHR | Supervisor | none
en | BambooHR | Supervisor Email | none
en | BambooHR | Reporting to | none
en | Workday | Manager | none
en | Workday | Manager_Email | none
en | Workday | Worker's Manager | none
en | Workday | Cost Center - Name | none
en | Workday | Company | none
en | Workday | Contract End Date | none
en | Workday | Probation End Date | none
en | Workday | Status Date | none
en | Workday | Position ID | none
en | ADP | Payroll Company Code | none
en | ADP | Birth Name | none
en | ADP | Maiden Name | none
en | ADP | Middle Name | none
en | ADP | Status Effective Date | none
en | UKG | Spouse First Name | none
en | UKG | Date of Birth | none
en | SDS | Secondary Email | none
en | SDS | School Name | none
en | SDS | Username | none
en | Okta | secondEmail | none
en | Okta | login | none
en | Google Workspace | Recovery Email | none
en | Google Workspace | Recovery Phone [MUST BE IN THE E.164 FORMAT] | none
en | Google Workspace | Manager Email | none
en | Google Workspace | Last Sign In [READ ONLY] | none
en | Moodle | course1 | class
en | Moodle | City | none
en | Jira | Created by | none
en | Jira | Owner email | none
en | Entra | Alternate email address [otherMails] | none
en | Entra | Usage location [usageLocation] | none
en | Entra | Group ID | none
en | SCIM | manager.displayName | none
en | SCIM | department.name | department
en | Personio | supervisor.email | none
en | by hand | Mailing Address | none
en | by hand | Fax | none
en | by hand | Phone extension | none
en | by hand | Contract type | none
en | by hand | Department code | none
en | by hand | Marital status | none
en | by hand | Blood group | none
en | by hand | Name of school | none
en | by hand | Next of kin | none
en | by hand | Email [personal] | none
en | by hand | Email (private) | none
en | by hand | Email sent | none
en | by hand | Team lead | none
en | by hand | Department head | none
de | Personio | Vorgesetzter | none
de | Personio | E-Mail (privat) | none
de | Personio | Probezeitende | none
de | Personio | Vertragsende | none
de | DATEV | Geburtsname | none
de | DATEV | Geburtsdatum | none
de | DATEV | Personengruppe | none
de | DATEV | Familienstand | none
de | SAP | Name des Vorgesetzten | none
de | SAP | Firma | none
de | by hand | Notfallkontakt | none
de | by hand | Vorname der Mutter | none
de | by hand | Telefon privat | none
de | by hand | Abteilungsleiter | none
de | by hand | Titel | none
nl | AFAS | Geboortenaam | none
nl | AFAS | E-mail privé | none
nl | AFAS | Leidinggevende | none
nl | AFAS | Voorletters | none
nl | AFAS | Voorvoegsel | none
fr | Lucca | E-mail personnel | none
fr | Lucca | Responsable | none
fr | Silae | Nom de naissance | none
fr | by hand | Adresse | none
fr | by hand | Téléphone personnel | none
es | Factorial | Correo electrónico personal | none
es | A3 | Nombre del responsable | none
es | Mexican | Estado | none
it | Zucchetti | Codice fiscale | none
it | by hand | Stato civile | none
pt | by hand | Nome da mãe | none
da | by hand | Nærmeste leder | none
da | by hand | Privat e-mail | none
sv | by hand | Personnummer | none
sv | by hand | Närmaste chef | none
nb | by hand | Nærmeste pårørende | none
fi | by hand | Esimies | none
pl | by hand | Przełożony | none
pl | by hand | Nazwisko rodowe | none
cs | by hand | Rodné příjmení | none
cs | by hand | Nadřízený | none
hu | by hand | Anyja neve | none
tr | by hand | Baba Adı | none
ru | 1C | Отчество | none
ru | 1C | Дата рождения | none
uk | BAS | По батькові | none
ja | SmartHR | 姓（ヨミガナ） | none
ja | SmartHR | 緊急連絡先電話番号 | none
zh-Hans | by hand | 紧急联系人 | none
zh-Hans | by hand | 个人邮箱 | none
ko | by hand | 비상연락처 | none
ar | by hand | اسم المدير | none
he | by hand | שם המנהל | none
he | by hand | דוא"ל פרטי | none
`;

/** The fixed list of headings. */
export const exportHeadings: ExportHeading[] = lines
  .trim()
  .split('\n')
  .map((line) => {
    const [language = '', system = '', heading = '', means = '', ...beside] = line.split(' | ');
    return { language, system, heading, means, beside };
  });
