import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fileOf, read, readText, refusalOf } from './reading.ts';

const cards = [
  'BEGIN:VCARD',
  'VERSION:3.0',
  'N:van der Berg;Ann;;;',
  'FN:Ann van der Berg',
  'EMAIL;TYPE=HOME:ann@home.example',
  'item1.EMAIL;TYPE=WORK,PREF:ann@example.com',
  'TEL;TYPE=FAX:+45 1',
  'TEL;TYPE=CELL:+45 20 12 34 56',
  'ORG:Example\\, Inc;Sales',
  'CATEGORIES:Sales,New staff',
  'PHOTO;ENCODING=b:AAAA',
  ' BBBB',
  'END:VCARD',
  'begin:vcard',
  'VERSION:2.1',
  'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Lindqvist;=C3=85s=',
  'e',
  'EMAIL;INTERNET:ase@exam',
  ' ple.com',
  'end:vcard',
  '',
].join('\r\n');

suite('vCards', () => {
  test('each is a row: names, the work address, telephone, organisation, categories; home addresses stand apart', async () => {
    const { roster, rows } = await readText(cards, { name: 'team.vcf' });
    const table = rows.map(({ cells }) => Object.fromEntries(roster.form.header.map((name, at) => [name, cells[at]])));
    assert.deepEqual(table, [
      {
        ...{ firstname: 'Ann', lastname: 'van der Berg', name: 'Ann van der Berg', email: 'ann@example.com' },
        ...{ homeemail: 'ann@home.example', telephone: '+45 20 12 34 56', company: 'Example, Inc' },
        ...{ department: 'Sales', jobtitle: '', categories: 'Sales;New staff' },
      },
      {
        ...{ firstname: 'Åse', lastname: 'Lindqvist', name: '', email: 'ase@example.com', homeemail: '' },
        ...{ telephone: '', company: '', department: '', jobtitle: '', categories: '' },
      },
    ]);
  });

  test('a file of them is read as a stream is', async () => {
    const { rows } = await read(await fileOf(cards, 'team.vcf'));
    assert.equal(rows.length, 2);
  });

  test('one that does not end, or is beyond the limits, is refused', async () => {
    assert.match(await refusalOf(readText('BEGIN:VCARD\nN:Ek;Ann\n')), /its last vCard does not end/);
    const long = `BEGIN:VCARD\nN:${'x'.repeat(2000)};Ann\nEND:VCARD\n`;
    assert.match(await refusalOf(readText(long, { limits: { record: 1000 } })), /longer than 1,000 characters/);
  });
});

suite('files that are not lists of people', () => {
  for (const [what, text] of [
    ['a log', '2026-03-01 10:00:00,123 INFO started\n2026-03-01 10:00:01,000 INFO ready\n'],
    ['a log', '10.0.0.1 - - [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12\n10.0.0.1 - - [01/Mar/2026]\n'],
    ['a calendar', 'BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n'],
    ['an e-mail', 'Received: from a.example\nSubject: list\n\nSee attached.\n'],
    ['a picture', 'GIF89a...'],
  ] as const) {
    test(`${what} is called so in one sentence: ${text.slice(0, 12)}`, async () => {
      const message = await refusalOf(readText(text));
      assert.ok(message.includes(`this looks like ${what}`) || message.includes(`this is ${what}`), message);
      assert.equal(message.split('\n').length, 1);
    });
  }

  test('one column of addresses: what is missing is said', async () => {
    for (const head of ['Email\n', '']) {
      const message = await refusalOf(readText(`${head}ann@example.com\nBo Oh <bo@example.com>\n`));
      assert.match(message, /it holds one column, of addresses, and the service needs a first and a last name/);
    }
  });
});

suite('two header rows', () => {
  const rows = 'Ann,Ek,ann@example.com,Sales\nBo,Oh,bo@example.com,IT\n';
  test('headings over several columns are left out, and said', async () => {
    const { roster, table } = await readText(`Person,,Contact,Work\nFirst name,Last name,Email,Department\n${rows}`);
    assert.deepEqual(table[0], ['First name', 'Last name', 'Email', 'Department']);
    assert.equal(table.length, 3);
    assert.match(roster.form.notes.join(), /One line above the header left out: "Person"/);
  });

  test('a person is never taken for the second one', async () => {
    const { table } = await readText(`First name,Last name,Email,\nEmail,Name,ann@example.com,Sales\n${rows}`);
    assert.equal(table.length, 4);
    const unknown = await readText(`Aa,,Bb,Cc\nName,Vorname,x,E-Mail\n,,,\nAnn,Ek,ann@example.com,Email\n${rows}`);
    assert.equal(unknown.table.length, 4);
  });
});
