import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { exportHeadings } from '../../../bench/support/export-headings.ts';
import { listColumns, meaningOf, privateEmailColumns, statusKindOf } from '../../../src/core/columns/columns.ts';
import {
  sensesOf,
  partKeys,
  readHeading,
  readPresence as flagHeading,
  speaksOfEmail,
} from '../../../src/core/headings/read-heading.ts';
import { readFlag, statusKind } from '../../../src/core/cells/status-words.ts';
import { headingKey, wordsOf } from '../../../src/core/words/words.ts';
import { readFiles } from '../../../src/data/data.ts';
import type { Language } from '../../../src/data/schemas.ts';

const languages = readFiles<Language>('languages');

function meaning(heading: string, ...beside: string[]): string | undefined {
  const columns = listColumns([heading, ...beside]);
  return columns[0] && meaningOf(columns, columns[0]);
}

suite('headings of exports', () => {
  test('of the fixed list none is taken for something that it is not, and nine of ten are found', () => {
    const wrong = exportHeadings.filter(({ heading, beside, means }) => {
      const found = meaning(heading, ...beside);
      return found !== undefined && found !== means;
    });
    assert.deepEqual(wrong, []);
    const toFind = exportHeadings.filter(({ means }) => means !== 'none');
    const found = toFind.filter(({ heading, beside }) => meaning(heading, ...beside) !== undefined);
    assert.ok(exportHeadings.length >= 400 && exportHeadings.length - toFind.length >= 80);
    assert.ok(found.length >= toFind.length * 0.9, `${found.length} of ${toFind.length}`);
  });

  test('every language has words for every field that each file may have', () => {
    const needed = [
      'lastname',
      'fullname',
      'email',
      'telephone',
      'employeeId',
      'startDate',
      'endDate',
      'status',
    ] as const;
    const parts = ['group', 'department', 'team', 'site', 'position'] as const;
    assert.equal(Object.keys(languages).length, 38);
    for (const [language, headings] of Object.entries(languages)) {
      for (const key of [...needed, ...parts]) assert.ok(wordsOf(headings[key]).length > 0, `${language}: ${key}`);
      assert.ok(
        wordsOf(`${headings.firstname ?? ''},${headings.firstnameBeside ?? ''}`).length > 0,
        `${language}: firstname`,
      );
    }
  });

  test('a word that means one thing in one language and another in the next is taken for neither', () => {
    assert.equal(new Set(sensesOf(headingKey('Kraj')).map((sense) => sense.meaning)).size, 2);
    assert.equal(meaning('Kraj'), undefined);
    assert.equal(meaning('Apelido', 'Nome'), undefined);
    assert.equal(meaning('Titel'), undefined);
    assert.equal(meaning('Estado'), undefined);
  });

  for (const [spelling, found] of [
    ['First Name', 'firstname'],
    ['FIRST_NAME', 'firstname'],
    ['first-name', 'firstname'],
    ['firstName', 'firstname'],
    [' * First name: ', 'firstname'],
    ['ＦｉｒｓｔＮａｍｅ', 'firstname'],
    ['Prénom', 'firstname'],
    ['PRENOM', 'firstname'],
    ['Pre\u0301nom', 'firstname'],
    ['Geschäftliche E-Mail', 'email'],
    ['GESCHAEFTLICHE EMAIL', 'email'],
    ['Geschaftliche E-Mail', 'email'],
    ['Imię', 'firstname'],
    ['Dzial', 'department'],
    ['İŞE GİRİŞ TARİHİ', 'startDate'],
    ['ise giris tarihi', 'startDate'],
    ['Ansättningsdatum', undefined],
    ['ＴＥＬ', 'telephone'],
    ['ﾒｰﾙ', 'email'],
    ['البـريد الإلكتروني', 'email'],
    ['Employee #', 'employeeId'],
    ['№', undefined],
    ['', undefined],
    ['***', undefined],
  ] as const) {
    test(`"${spelling}" is ${found ?? 'nothing'}`, () => assert.equal(meaning(spelling), found));
  }

  test('a whole name is told from a last name by what stands beside it in the same language', () => {
    assert.equal(meaning('Name'), 'fullname');
    assert.equal(meaning('Name', 'Vorname'), 'lastname');
    assert.equal(meaning('Name', 'First name'), 'fullname');
    assert.equal(meaning('Name', 'Vorname', 'Nachname'), 'fullname');
    assert.equal(meaning('Ime', 'Prezime'), 'firstname');
    assert.equal(meaning('Ime'), undefined);
  });

  test('of a heading in two languages both must say the same', () => {
    assert.equal(meaning('Prénom / Vorname / First name'), 'firstname');
    assert.equal(meaning('Nom | Nachname'), 'lastname');
    assert.equal(meaning('Abteilung/Department'), 'department');
    assert.equal(meaning('Name / Department'), undefined);
    assert.equal(meaning('Vorname / E-Mail'), undefined);
    assert.equal(meaning('Vorname / Nachname'), 'fullname');
  });

  test('brackets: the employer’s is taken, somebody’s own and somebody else’s are not', () => {
    assert.equal(meaning('Courriel (travail)'), 'email');
    assert.equal(meaning('Telefon (iş)'), 'telephone');
    for (const not of [
      'Courriel (maison)',
      'E-Mail [privat]',
      'Email [personal]',
      'Telefon (Notfall)',
      'E-posta (kişisel)',
    ])
      assert.equal(meaning(not), undefined, not);
  });

  test('a heading with brackets, a path or two languages has the senses of its parts', () => {
    const senses = (heading: string): string[] =>
      readHeading(heading).map(({ meaning: means, isBeside }) => `${means}${isBeside ? ' beside another' : ''}`);
    for (const [heading, ...means] of [
      ['Vorname (work)', 'firstname'],
      ['Vorname（work）', 'firstname'],
      ['Vorname (private)'],
      ['Name [surname]', 'lastname'],
      ['Vorname [xyz]', 'firstname'],
      ['Vorname [personal]'],
      ['Work [mail]', 'email'],
      ['Private [mail]'],
      ['Emergency [phone]'],
      ...['Delegate email', 'Manager email', 'Supervisor e-mail', 'Deputy [mail]', 'E-mail [Vorgesetzten]'].map(
        (each) => [each],
      ),
      ...['親 [メール]', 'Assistente (E-mail)', 'Correo del jefe', 'manager.email'].map((each) => [each]),
      ...[
        ...['Manager [employeeId]', 'Supervisor [ID]', 'Approver [employee number]', 'Reports To [Employee ID]'],
        ...['Line manager [personnel number]', 'HRBP [employee id]', 'Buddy [student number]', 'Created by [emp id]'],
        ...['Vorgesetzter [Personalnummer]', 'Chef [anställningsnummer]', 'Leder [medarbejdernummer]'],
        ...[
          'Jefe [Número de empleado]',
          'Responsabile [matricola]',
          'Leidinggevende [personeelsnummer]',
          'N+1 [matricule]',
        ],
        ...[
          'Przełożony [numer pracownika]',
          '上司 [社員番号]',
          '主管 [工号]',
          'Supervisor ID',
          'Approver employee number',
        ],
      ].map((each) => [each]),
      ...[
        'Employee [employeeId]',
        'Work [employeeId]',
        '[employeeId]',
        'Personalnummer [employeeId]',
        'ID [employeeId]',
      ].map((each) => [each, 'employeeId']),
      ['E-Mail [mail]', 'email'],
      ['Email Address [Required]', 'email'],
      ['Delegate First Name', 'firstname'],
      ['Private [surname]', 'lastname'],
      ['Private, of whoever [mail]'],
      ['Block sign in (Yes/No) [mail]', 'gone'],
      ['Nom / Nachname', 'lastname'],
      ['Nom / Name', 'lastname beside another'],
      ['Nom / Nachname / Department'],
      ['Prénom / Vorname / First name / Prénom / Department', 'firstname'],
      ['Prénom / Vorname / First name / Department'],
      ['attributes.first_name.value', 'firstname'],
      ['attributes.first_name', 'firstname'],
      ['employee.email.value', 'email'],
      ['emails[primary=true].value', 'email'],
      ['emails[primary=false].value'],
      ['emails[type=work].value', 'email'],
      ['emails[type=home].value'],
      ['manager.first_name'],
      ['value'],
    ] as const)
      assert.deepEqual(senses(heading), means, heading);
    assert.deepEqual(
      ['Active (Yes/No)', 'Employee (Active)'].map((heading) => flagHeading(heading).length),
      [1, 0],
    );
    for (const [heading, ...means] of [
      ...['state.disabled', 'flags.archived', 'Student withdrawn'].map((each) => [each, 'gone']),
      ...['status.name', 'user.status.label', 'Status / Statut', 'Status (HR)', '1. Status'].map((each) => [
        each,
        'status',
      ]),
      ...['employment.terminationDate', 'job.endDate', 'Leaving date (if known)'].map((each) => [each, 'endDate']),
      ...['Valid until (dd/mm/yyyy)', 'Member leaving date'].map((each) => [each, 'endDate']),
      ...['department.status', 'manager.active', 'Valid until (passport)', 'Email'].map((each) => [each]),
    ])
      assert.deepEqual(
        flagHeading(heading ?? '').map(({ meaning: its }) => its),
        means,
        heading ?? '',
      );
    assert.equal(headingKey('Straße Øst #'), 'strasseostno');
  });

  test('a column may be called by what stands before or in its brackets, or by the end of its path', () => {
    for (const [heading, ...keys] of [
      ['First Name (work)', 'firstname'],
      ['First Name (private)'],
      ['Name [surname]', 'name', 'surname'],
      ['[surname]', 'surname'],
      ['Name []', 'name'],
      ['attributes.first_name.value', 'firstname'],
      ['Notes'],
    ] as const)
      assert.deepEqual(partKeys(heading), keys, heading);
  });

  test('a word for e-mail is found anywhere in the first 300 characters, a short one only in other letters', () => {
    for (const heading of ['Gmail', '邮箱', `${'x'.repeat(295)}email`]) assert.ok(speaksOfEmail(heading), heading);
    for (const heading of ['Upnotes', 'Notes', `${'x'.repeat(296)}email`]) assert.ok(!speaksOfEmail(heading), heading);
  });

  test('the heading of a private address, or of somebody else’s, is recognised in every language', () => {
    const names = ['E-mail privé', 'Courriel personnel', 'Личная почта', '個人メールアドレス', 'Work email', 'Notes'];
    const found = privateEmailColumns(listColumns(names)).map(({ name }) => name);
    assert.deepEqual(found, ['E-mail privé', 'Courriel personnel', '個人メールアドレス']);
  });

  test('a flag of those who are gone is told from one of those who are there, whatever stands in brackets', () => {
    const kinds = [
      'Aktiv',
      'Gesperrt',
      'Block sign in (Yes/No) [accountEnabled] Required',
      'Active (Y/N)',
      'Statusdatum',
    ];
    assert.deepEqual(
      kinds.map((name) => statusKindOf({ index: 0, name })),
      ['status', 'gone', 'gone', 'status', undefined],
    );
  });

  test('statuses and flags are understood in many languages, and none says two things', () => {
    for (const [word, kind] of [
      ['Elternzeit', 'leave'],
      ['Ausgeschieden', 'ended'],
      ['в отпуске', 'leave'],
      ['離職', 'ended'],
      ['in dienst', 'active'],
      ['入社前', 'future'],
      ['Sabotage', undefined],
    ] as const)
      assert.equal(statusKind(word), kind, word);
    const said = new Map<string, string>();
    for (const { statuses, yes, no } of Object.values(languages)) {
      for (const [kind, words] of Object.entries({ ...statuses, yes, no })) {
        for (const word of wordsOf(words)) {
          const key = `${kind === 'yes' || kind === 'no' ? 'flag' : 'status'} ${word}`;
          assert.equal(said.get(key) ?? kind, kind, word);
          said.set(key, kind);
        }
      }
    }
    assert.deepEqual(['Ano', 'HAYIR', 'はい', '✓', '否', 'maybe', ''].map(readFlag), [
      true,
      false,
      true,
      true,
      false,
      undefined,
      false,
    ]);
  });
});
