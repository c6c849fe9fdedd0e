import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { listColumns } from '../../../../src/core/columns/columns.ts';
import { ColumnFinder } from '../../../../src/core/mapping/column-finder.ts';
import { makeCondition } from '../../../../src/core/mapping/filter.ts';
import { PresenceTaker } from '../../../../src/core/inspect/presence/presence-taker.ts';
import { StatusTally } from '../../../../src/core/inspect/presence/status-tally.ts';
import {
  briefSigns,
  doubtsOf,
  presenceRules,
  type Sign,
  signSentences,
} from '../../../../src/core/inspect/presence/sign.ts';

const today = 20261120;

function takerOf(column: string, cells: readonly string[], except?: number[]): PresenceTaker {
  const taker = new PresenceTaker(['Email', column], { today, ...(except && { except }) });
  for (const [at, cell] of cells.entries()) taker.row([`person${at}@example.com`, cell]);
  return taker;
}

const signsOf = (column: string, cells: readonly string[]): Sign[] => takerOf(column, cells).signs();
const saidOf = (column: string, cells: readonly string[]): string[] => signSentences(signsOf(column, cells));

test('what stands for no value leaves people out who may be there, as an empty cell does', () => {
  const tally = new StatusTally('Status');
  for (const word of ['Active', '#N/A', 'unknown', '', 'Pending', 'Terminated', 'Yes', '2026-01-01']) tally.add(word);
  const words = tally.notGone().map(({ word }) => word);
  assert.deepEqual(words.toSorted(), ['', '#N/A', 'Active', 'Pending', 'unknown']);
});

suite('who of a roster is there', () => {
  test('words of people who left are counted, leave is not termination, and unknown words are named', () => {
    const cells = ['Terminated', 'Active', 'On leave', 'Leaver', 'Terminated', ' terminated ', 'Bench', ''];
    assert.deepEqual(saidOf('Status', cells), [
      'Status says who is not there: Terminated 3, Leaver 1 (not known, so kept: Bench 1, empty 1)',
    ]);
    assert.deepEqual(presenceRules(signsOf('Status', cells)), {
      except: [{ column: 'Status', in: ['Terminated', 'Leaver'] }],
    });
  });

  for (const [column, cells, said] of [
    ['Status', ['A', 'I', 'R', 'L', 'D'], 'Status says who is not there: I 1, R 1, D 1'],
    [
      'Email status',
      ['Valid', 'Invalid'],
      'Email status says who is not there: Invalid 1 (not known, so kept: Valid 1)',
    ],
    [
      'Event',
      ['Hire Employee: Bo Ny', 'Terminate Employee: Ann Ek', 'Rehire: was terminated', 'Terminate (Voluntary)'],
      'Event says who is not there: Terminate Employee: Ann Ek 1, Terminate (Voluntary) 1',
    ],
    ['Last day in office', ['', '31 July 2020', ''], 'Last day in office is in the past in 1 row'],
    ['Active', ['✓', '☐', '✓'], 'Active says who is not there: ☐ 1'],
    ['Active', ['✅', '❌'], 'Active says who is not there: ❌ 1'],
    ['Status', ['A', 'T', 'A', 'L'], 'Status says who is not there: T 1'],
    ['Contract end', ['permanent', '2026-10-31', 'unbefristet', 'CDI'], 'Contract end is in the past in 1 row'],
    ...['NULL', 'None', 'No', String.raw`\N`, '(null)', '#N/A', 'N/A', '-'].map(
      (none) =>
        ['Termination Date', [none, none, none, '31/01/2020'], 'Termination Date is in the past in 1 row'] as const,
    ),
    ['UNSUB_TIME', ['', '2026-03-02 11:00:00'], 'UNSUB_TIME is in the past in 1 row'],
    ['Abgang', ['', '31.07.2026'], 'Abgang is in the past in 1 row'],
    ['Erosi', ['', '1.9.2026'], 'Erosi is in the past in 1 row'],
    ['退職年月日', ['', '令和8年6月30日'], '退職年月日 is in the past in 1 row'],
    ['Trạng thái', ['Đang làm việc', 'Đã nghỉ việc'], 'Trạng thái says who is not there: Đã nghỉ việc 1'],
    ['สถานะพนักงาน', ['ทำงาน', 'ลาออก 30/09/2569'], 'สถานะพนักงาน says who is not there: ลาออก 30/09/2569 1'],
    ['स्थिति', ['कार्यरत', 'सेवानिवृत्त', 'अवकाश पर'], 'स्थिति says who is not there: सेवानिवृत्त 1'],
    [
      'Status',
      ['aktiv', 'ausgeschieden zum 31.10.', 'aktiv'],
      'Status says who is not there: ausgeschieden zum 31.10. 1',
    ],
    ['Status', ['Active', 'Terminated - Voluntary'], 'Status says who is not there: Terminated - Voluntary 1'],
    ['Status', ['in dienst', 'uit dienst per 31-10'], 'Status says who is not there: uit dienst per 31-10 1'],
    ['Durum', ['Çalışıyor', 'İşten ayrıldı'], 'Durum says who is not there: İşten ayrıldı 1'],
    ['Situação', ['Ativo', 'Desligada', 'Ativo'], 'Situação says who is not there: Desligada 1'],
    ['الحالة', ['نشط', 'استقال'], 'الحالة says who is not there: استقال 1'],
    ['Statut', ['Actif', 'Démission'], 'Statut says who is not there: Démission 1'],
    ['Beschäftigt bis', ['', '31. Oktober 2026'], 'Beschäftigt bis is in the past in 1 row'],
    ['In dienst', ['ja', 'nee', 'ja'], 'In dienst says who is not there: nee 1'],
    ['In dienst', ['2020-01-01', '2027-01-01'], 'In dienst is in the future in 1 row'],
    ['Anställd', ['ja', 'nej', 'ja'], 'Anställd says who is not there: nej 1'],
    ['Termination Date (dd/mm/yyyy)', ['', '31/01/2020'], 'Termination Date (dd/mm/yyyy) is in the past in 1 row'],
    ['status.name', ['Active', 'Terminated'], 'status.name says who is not there: Terminated 1'],
    ['state.disabled', ['false', 'true'], 'state.disabled says who is not there: true 1'],
    ['Is Left', ['Yes', 'No', ''], 'Is Left says who is not there: Yes 1'],
    ['Retired', ['', 'Y', ''], 'Retired says who is not there: Y 1'],
    ['Retired', ['', '2020-01-31', ''], 'Retired is in the past in 1 row'],
    ['退職フラグ', ['0', '1', '0'], '退職フラグ says who is not there: 1 1'],
    ['离职', ['否', '是', '否'], '离职 says who is not there: 是 1'],
    ['Gepensioneerd', ['nee', 'ja', ''], 'Gepensioneerd says who is not there: ja 1'],
    ['Is working', ['Yes', 'No', 'Yes'], 'Is working says who is not there: No 1'],
    ['Uit dienst', ['ja', 'nee', ''], 'Uit dienst says who is not there: ja 1'],
    ['Emp Status', ['A', 'T'], 'Emp Status says who is not there: T 1'],
    [
      'Termination Reason',
      ['', 'Better offer', 'n/a', 'Resigned', '2026-01-01'],
      'Termination Reason says who is not there: Better offer 1, Resigned 1',
    ],
    [
      'Worker Type',
      ['Employee', 'Former Employee', 'Retiree', 'Consultant'],
      'Worker Type says who is not there: Former Employee 1, Retiree 1 (not known, so kept: Consultant 1)',
    ],
    ['Last day', ['46326', ''], 'Last day is in the past in 1 row'],
    // It is a day in both orders: asked is about the one by which somebody has left.
    [
      'End Date',
      ['12/11/2026'],
      'End Date is in the past in 1 row, read as day/month/year, but no cell says which comes first',
    ],
    [
      'End Date',
      ['11/12/2026'],
      'End Date is in the past in 1 row, read as month/day/year, but no cell says which comes first',
    ],
    [
      'Status',
      Array.from({ length: 60 }, (_, at) => `Terminated ${at}`),
      'Status says who is not there: Terminated 0 1, Terminated 1 1, Terminated 2 1, Terminated 3 1, Terminated 4 1, ' +
        'Terminated 5 1 and 54 more words',
    ],
    [
      'Termination Reason',
      Array.from({ length: 60 }, (_, at) => `Reason ${at}`),
      'Termination Reason says who is not there: Reason 0 1, Reason 1 1, Reason 2 1, Reason 3 1, Reason 4 1, ' +
        'Reason 5 1 and 54 more words',
    ],
    [
      'Status',
      ['Terminated', 'Active', `Active - ${'secondment '.repeat(12)}`, 'Terminated'],
      'Status says who is not there: Terminated 2',
    ],
    ['Opt-out', ['yes', 'no'], 'Opt-out says who is not there: yes 1'],
    ['Blocked', ['Yes', 'No', '', 'Yes'], 'Blocked says who is not there: Yes 2'],
    ['disabled', ['TRUE', 'FALSE'], 'disabled says who is not there: TRUE 1'],
    ['Leaver', ['', 'x', ''], 'Leaver says who is not there: x 1'],
    ['Last day', ['', '30-Sep-26', ''], 'Last day is in the past in 1 row'],
    ['Termination', ['', '2026-10-31', ''], 'Termination is in the past in 1 row'],
    [
      'Department',
      ['Sales', 'DELETED EMPLOYEES', 'Leavers', 'zz_Terminated users', 'Terminated'],
      'Department says who is not there: DELETED EMPLOYEES 1, Leavers 1, zz_Terminated users 1, Terminated 1',
    ],
    ['_sheet', ['Staff', 'Leavers 2026', 'Staff'], '_sheet says who is not there: Leavers 2026 1'],
    [
      'Org Unit Path [Required]',
      ['/Staff', '/Suspended Users', '/Staff/Ex-employees'],
      'Org Unit Path [Required] says who is not there: /Suspended Users 1, /Staff/Ex-employees 1',
    ],
    [
      'Abteilung',
      ['Vertrieb', 'Ehemalige Mitarbeitende'],
      'Abteilung says who is not there: Ehemalige Mitarbeitende 1',
    ],
    ['Departamento', ['Ventas', 'Usuarios suspendidos'], 'Departamento says who is not there: Usuarios suspendidos 1'],
    ['部门', ['销售', '离职员工'], '部门 says who is not there: 离职员工 1'],
    [
      'distinguishedName',
      [String.raw`CN=Ek\, Ann,OU=Disabled Users,DC=example`, 'CN=Bo Falk,OU=Sales,DC=example'],
      'distinguishedName says who is not there: OU=Disabled Users,DC=example 1',
    ],
    ['Inactive', ['No', 'Yes'], 'Inactive says who is not there: Yes 1'],
    ['Activated', ['TRUE', 'FALSE'], 'Activated says who is not there: FALSE 1'],
    ['enabledUser', ['true', 'false'], 'enabledUser says who is not there: false 1'],
    ['Attendee Status', ['Attending', 'Not Attending'], 'Attendee Status says who is not there: Not Attending 1'],
    ['On Roll', ['Yes', 'No'], 'On Roll says who is not there: No 1'],
    ['Enroll_Status', ['0', '2', '-1'], 'Enroll_Status says who is not there: 2 1, -1 1'],
    ['userAccountControl', ['512', '514', '66050'], 'userAccountControl says who is not there: 514 1, 66050 1'],
    ['accountExpires', ['0', '133500000000000000', '9223372036854775807'], 'accountExpires is in the past in 1 row'],
    ['user.delete_at', ['0', '1600000000000'], 'user.delete_at is in the past in 1 row'],
    ['Unsubscribed', ['', '2026-01-05 10:00'], 'Unsubscribed is in the past in 1 row'],
    ['Date_Fin', ['', '2026-01-05'], 'Date_Fin is in the past in 1 row'],
    ['Date Fin Adhésion', ['', '2026-01-05'], 'Date Fin Adhésion is in the past in 1 row'],
    ['Membership End Date', ['', '2026-01-05'], 'Membership End Date is in the past in 1 row'],
    ['DataFimContrato', ['', '2026-01-05'], 'DataFimContrato is in the past in 1 row'],
    ['アカウント状態', ['有効', '無効'], 'アカウント状態 says who is not there: 無効 1'],
    ['RSVP', ['Yes', 'No', 'Maybe'], 'RSVP says who is not there: No 1 (not known, so kept: Maybe 1)'],
    ['Anmeldestatus', ['angemeldet', 'storniert'], 'Anmeldestatus says who is not there: storniert 1'],
    ['Left', ['', '2026-03-31', ''], 'Left is in the past in 1 row'],
    ['Until', ['', '2026-03-31', ''], 'Until is in the past in 1 row'],
    ['Email Opt Out', ['true', 'false'], 'Email Opt Out says who is not there: true 1'],
    ['Status', ['Active', 'Lapsed'], 'Status says who is not there: Lapsed 1'],
    ['Active', ['1', '0', '1'], 'Active says who is not there: 0 1'],
    ['Enabled', ['yes', '', 'yes'], 'Enabled says who is not there: empty 1'],
    ['Termination Date', ['', '2026-11-19', '2026-11-20', '9999-12-31'], 'Termination Date is in the past in 1 row'],
    ['End Date', ['31.10.2026', '01.12.2026'], 'End Date is in the past in 1 row'],
    ['End Date', ['10/31/2026', '01/02/2026'], 'End Date is in the past in 2 rows, read as month/day/year'],
    ['End Date', ['31/10/2026', '01/02/2026'], 'End Date is in the past in 2 rows, read as day/month/year'],
    ['Start Date', ['2026-11-20', '2026-11-21', '2027-01-01'], 'Start Date is in the future in 2 rows'],
    ...[
      ...['Active Y/N', 'Is Active Y/N', 'Aktiv J/N', 'Aktiv ja/nein', 'Active_YN', 'Active: Yes / No', 'Active 1/0'],
      ...['Current', 'Active/Inactive'],
    ].map((flag) => [flag, ['y', 'N', 'Y'], `${flag} says who is not there: N 1`] as const),
    ['Actif O/N', ['O', 'N', 'O'], 'Actif O/N says who is not there: N 1'],
    ['Activo S/N', ['S', 'N', 'S'], 'Activo S/N says who is not there: N 1'],
    ...[
      ...[
        'Leaver Y/N',
        'Terminated Y/N',
        'Disabled Y/N',
        'Left Y/N',
        'Not Started',
        'Future Hire',
        'Delete',
        'Delete?',
      ],
      ...['Remove', 'To be removed', 'Zu löschen', 'À supprimer'],
    ].map((flag) => [flag, ['', 'x', ''], `${flag} says who is not there: x 1`] as const),
    ['Action', ['Add', 'Delete', 'Update'], 'Action says who is not there: Delete 1'],
    ['Action', ['A', 'D', 'U', 'D'], 'Action says who is not there: D 2'],
    ['Action', ['Active', 'Prehire', 'Delete'], 'Action says who is not there: Prehire 1, Delete 1'],
    ['Action Type', ['Hiring', 'Voluntary Termination'], 'Action Type says who is not there: Voluntary Termination 1'],
    ['Record Action', ['ADD', 'DELETE'], 'Record Action says who is not there: DELETE 1'],
    [
      'Business Process',
      ['Hire', 'Terminate Employee > Voluntary'],
      'Business Process says who is not there: Terminate Employee > Voluntary 1',
    ],
    ['Event', ['Hire', 'Termination'], 'Event says who is not there: Termination 1'],
    ['Person Type', ['EMP', 'EX_EMP'], 'Person Type says who is not there: EX_EMP 1'],
    ...(
      [
        ['Vorgang', 'Einstellung', 'Kündigung'],
        ['Type de mouvement', 'Embauche', 'Départ'],
        ['Действие', 'Добавить', 'Удалить'],
        ['İşlem', 'Ekle', 'Sil'],
        ['異動区分', '入社', '退職'],
        ['操作类型', '新增', '离职'],
        ['발령 구분', '입사', '퇴직'],
      ] as const
    ).map(
      ([action, comes, leaves]) => [action, [comes, leaves], `${action} says who is not there: ${leaves} 1`] as const,
    ),
    [
      'Action',
      [...Array.from({ length: 250 }, (_, at) => `Call ${at}`), 'Delete'],
      'Action says who is not there: Delete 1',
    ],
    ...[
      ...['Date Joined', 'Expected Start Date', 'First Day', 'Employee Start Date', 'Contract Start Date', 'DOJ'],
      ...['Commencement Date', 'Date of Entry', 'Joined on', 'employmentStart', 'hiredOn', 'Start date (planned)'],
      ...['Anticipated first day', 'New Hire Date', 'Geplanter Eintritt', 'Date de début prévue', 'Arbeitsbeginn'],
      ...['Fecha prevista de inicio', 'Planlagt startdato', 'Verwachte startdatum', 'Planowana data rozpoczęcia'],
      ...['Планируемая дата начала', 'Předpokládané datum nástupu', 'Suunniteltu alkamispäivä', 'Begda'],
      ...['wd:Hire_Date', 'internal.startDate'],
    ].map((day) => [day, ['2020-01-01', '2027-06-01'], `${day} is in the future in 1 row`] as const),
    ...[
      ...['Job end date', 'End date of contract', 'Contract Finish Date', 'Date To', 'Access until', 'Valid thru'],
      ...['Sep Date', 'Term Dt', 'Exit Dt', 'End_Dt', 'Leaver from', 'Geplantes Ende', 'Date de fin prévue'],
      ...['internal.terminationDate', 'jobInformation.endDate', 'employmentPeriods.endDate', 'dates.termination'],
      ...['wd:Termination_Date', 'Endda'],
    ].map((day) => [day, ['2020-01-01', ''], `${day} is in the past in 1 row`] as const),
  ] as const) {
    test(`${column} with ${cells.slice(0, 6).join(', ')}: ${said}`, () =>
      assert.deepEqual(saidOf(column, cells), [said]));
  }

  for (const [column, cells] of [
    ['Status', ['Active', 'On leave', 'Full time']],
    ['Status', ['Active', 'Retired, working part time']],
    ['Status', ['T', 'Active']],
    ['Status', ['', '']],
    ['Status', Array.from({ length: 60 }, (_, at) => `Bench ${at}`)],
    ['Remark', [...Array.from({ length: 250 }, (_, at) => `Note ${at}`), 'Active', 'Terminated']],
    ['Status', ['Active', 'secondment '.repeat(12), 'Active']],
    ['Department', ['Left', 'Archive', 'Retired Services', 'Disabled Access', 'People', 'All users']],
    ['Middle_name', ['T', 'A', 'F', 'L']],
    ['Did you submit an abstract?', ['Active', 'Retired.']],
    ['Enroll_Status', ['0', '0']],
    ['userAccountControl', ['512', '66048']],
    ['accountExpires', ['0', '9223372036854775807', '150000000000000000']],
    ['delete_at', ['0', '0']],
    ['Estado', ['São Paulo', 'Bahia']],
    ['Estado', ['Retirado', 'Casado']],
    ['Worker Type', ['Employee', 'Consultant']],
    ['Remark', ['Retired', 'wears a hat']],
    ['Situación', ['sí', 'no']],
    ['Blocked', ['No', '', 'false']],
    ['Termination Date', ['', '9999-12-31', '2030-01-01']],
    ['Termination Date', ['2020-01-01', 'by agreement', 'see contract', 'open']],
    ['Start Date', ['2020-01-01', '']],
    ['Action', ['Call back', 'Remove printer driver', 'Delete old mailbox']],
    ['Starter', ['Soup', 'Salad']],
    ['Event', ['Summer Gala', 'Exit strategies', 'Left Bank Tour', 'Retirement Planning']],
    ['Person Type', ['Student', 'Faculty']],
    ['Delete', ['', 'No', '']],
    ['Vaccinated Y/N', ['Y', 'N']],
    ...[
      ...[
        'Course Start Date',
        'Event start date',
        'Start time',
        'Manager start date',
        'Next review date',
        'Event date',
      ],
      ...['Term start date', 'Term'],
    ].map((day) => [day, ['2027-06-01', '2027-06-02']] as const),
    ...[
      ...['Probation end date', 'Leave end date', 'Leave until', 'Project end', 'Passport expiry', 'Visa valid until'],
      ...['Training end date', 'Trial end', 'Term end date', 'Last access date', 'Work date', 'Fin'],
    ].map((day) => [day, ['2020-01-01', '2020-01-02']] as const),
  ] as const) {
    test(`${column} with ${cells.slice(0, 4).join(', ')} says nothing`, () =>
      assert.deepEqual(saidOf(column, cells), []));
  }

  for (const [column, cells, remarks] of [
    [
      'Status',
      ['Active', 'Xyzzy', 'active', 'Bench', ''],
      [
        'Status has words that are not known: Xyzzy 1, Bench 1; these people are sent: check whether they are still there',
      ],
    ],
    [
      'Status',
      ['Active', 'Bench'],
      ['Status has words that are not known: Bench 1; this person is sent: check whether they are still there'],
    ],
    [
      'Last day',
      ['12345', '', '2030-01-01'],
      ['Last day has 1 cell that is not a date, such as "12345": this person is sent'],
    ],
    // It is a day in one of the two orders.
    ['Last day', ['31/10/2030', 'May'], ['Last day has 1 cell that is not a date, such as "May": this person is sent']],
    [
      'Last day',
      ['soon', 'later'],
      ['Last day has 2 cells that are not dates, such as "soon", "later": these people are sent'],
    ],
    ['Last day', ['yes', 'no'], []],
    // The decision about who has left names them.
    ['Status', ['Active', 'Terminated', 'Bench'], []],
    [
      'Status',
      ['Placed', 'DNX', 'Placed'],
      [
        'Status has words that are not known: Placed 2, DNX 1; these people are sent: check whether they are still there',
      ],
    ],
    [
      '',
      ['', 'left 31/8', ''],
      ['Column 2 may say who has left: left 31/8 1; this person is sent: check whether they are still there'],
    ],
    [
      'Notes',
      ['', 'LEFT 31/08/2026', 'has a dog'],
      ['Notes may say who has left: LEFT 31/08/2026 1; this person is sent: check whether they are still there'],
    ],
    ['Side', ['L', 'R', 'f'], []],
    ['Left', ['', 'moved', 'n/a'], []],
    ['Status', ['yes', 'no'], []],
    ['Actif O/N', ['O', 'O'], []],
    ['Estado', ['Activo', 'Bahia'], []],
    ['Last day', ['', '2030-01-01'], []],
  ] as const) {
    test(`${column} with ${cells.join(', ')} leads to ${remarks.length} remarks`, () =>
      assert.deepEqual(takerOf(column, cells).remarks(), remarks));
  }

  test('the order of day and month is that of any other column that shows it', () => {
    const taker = new PresenceTaker(['Email', 'Hire Date', 'Termination Date'], { today });
    taker.row(['a@example.com', '15/02/2015', '05/12/2026']);
    assert.deepEqual(taker.signs(), []);
    taker.row(['b@example.com', '01/02/2015', '05/11/2026']);
    assert.deepEqual(signSentences(taker.signs()), [
      'Termination Date is in the past in 1 row, read as day/month/year',
    ]);
  });

  test('of many different words, or long ones, those that say who has left are asked about, each of them', () => {
    const others = Array.from({ length: 60 }, (_, at) => `Bench ${at}`);
    const long = `Terminated - ${'as agreed '.repeat(12)}`;
    const signs = signsOf('Status', ['Active', ...others, 'Left', long, 'Active', 'Left', 'Not started', 'Active']);
    assert.deepEqual(presenceRules(signs), {
      except: [{ column: 'Status', in: ['Left', long.trim(), 'Not started'] }],
    });
    assert.equal(signs[0]?.rows, 4);
    assert.deepEqual(takerOf('Status', ['Active', ...others]).remarks(), []);
  });

  test('of several columns of first days that one counts by which most people wait', () => {
    const taker = new PresenceTaker(['Email', 'Hire Date', 'Original Hire Date'], { today });
    taker.row(['a@example.com', '2027-01-01', '2020-01-01']);
    taker.row(['b@example.com', '2027-01-01', '2027-01-01']);
    assert.deepEqual(presenceRules(taker.signs()), { except: [], startDate: 'Hire Date' });
  });

  test('columns that rules judge are not asked about, and all others are', () => {
    const taker = new PresenceTaker(['Status', 'End Date'], { today, rules: [ruleOf({ empty: true })] });
    taker.row(['Terminated', '2020-01-01']);
    assert.deepEqual(signSentences(taker.signs()), ['End Date is in the past in 1 row']);
  });

  const ruleOf = (texts: object) =>
    makeCondition({ column: 'Status', ...texts }, '', { finder: new ColumnFinder(listColumns(['Status'])) });

  for (const texts of [
    { in: ['terminated'] },
    { equals: 'Terminated' },
    { startsWith: 'Term' },
    { contains: 'terminated' },
    { matches: '(?i)^term' },
  ])
    test(`of a column of which a rule names some words, all others are asked about: ${JSON.stringify(texts)}`, () => {
      const taker = new PresenceTaker(['Status'], { today, rules: [ruleOf(texts)] });
      for (const word of ['Active', ' TERMINATED', 'Resigned', 'Deceased']) taker.row([word]);
      assert.match(signSentences(taker.signs()).join(), /Resigned[^]*Deceased/);
      assert.doesNotMatch(signSentences(taker.signs()).join(), /terminated/i);
    });

  test('what leaves people out says what it is not sure of', () => {
    const signs = [...signsOf('Status', ['Active', 'Left', 'Bench', '']), ...signsOf('End Date', ['11/12/2026'])];
    assert.deepEqual(doubtsOf(signs), [
      'Status has words that are not known: Bench 1; this person is sent: check whether they are still there',
      'End Date is read as month/day/year, but no cell says which comes first',
    ]);
  });

  test('a start date that people wait for already is no sign, nor is any day where nobody knows what day it is', () => {
    assert.deepEqual(takerOf('Start Date', ['2027-01-01'], [1]).signs(), []);
    const taker = new PresenceTaker(['End Date']);
    taker.row(['2020-01-01']);
    assert.deepEqual(taker.signs(), []);
  });

  test('days become rules with the order they were read in; who begins later waits', () => {
    assert.deepEqual(presenceRules(signsOf('End Date', ['31/10/2026', '01/02/2026'])), {
      except: [{ column: 'End Date', past: true, order: 'dmy' }],
    });
    assert.deepEqual(presenceRules(signsOf('Start Date', ['2027-01-01'])), { except: [], startDate: 'Start Date' });
  });

  test('whether any column can tell is known: of unknown words only, none can', () => {
    assert.equal(takerOf('Status', ['A1', 'B2']).hasColumns, false);
    assert.equal(takerOf('Team', ['Active']).hasColumns, false);
    assert.equal(takerOf('Status', ['Active']).hasColumns, true);
  });

  test('a notification has the counts, and no word of the roster', () => {
    const signs = [...signsOf('Status', ['Terminated', 'Left']), ...signsOf('End Date', ['2020-01-01'])];
    assert.equal(briefSigns(signs), '2 rows with a status that says so and 1 row with a last day in the past');
  });

  test('more different days than are remembered count all the same', () => {
    const days = Array.from({ length: 6000 }, (_, at) => `2020-01-01 ${at}`.replace(' ', 'T'));
    assert.equal(signsOf('End Date', [...days, ...days])[0]?.rows, 12_000);
  });
});
