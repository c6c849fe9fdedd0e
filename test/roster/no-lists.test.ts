import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readText, refusalOf } from './reading.ts';

const rows = 'Ann,Ek,ann@example.com,Sales\nBo,Oh,bo@example.com,IT\n';

suite('files that are not lists of people', () => {
  for (const [what, text] of [
    ['a log', '2026-03-01 10:00:00,123 INFO started\n2026-03-01 10:00:01,000 INFO ready\n'],
    ['a log', '10.0.0.1 - - [01/Mar/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 12\n10.0.0.1 - - [01/Mar/2026]\n'],
    ['an address book of vCards', '\ufeffbegin:vcard\nVERSION:3.0\nEMAIL:ann@example.com\nEND:VCARD\n'],
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

  test('a file called .vcf is an address book, whatever it holds', async () => {
    assert.match(await refusalOf(readText(rows, { name: 'team.vcf' })), /team\.vcf: .*Export the people as CSV\./);
  });

  test('one column of addresses: what is missing is said', async () => {
    for (const head of ['Email\n', '']) {
      const message = await refusalOf(readText(`${head}ann@example.com\nBo Oh <bo@example.com>\n`));
      assert.match(message, /it holds one column, of addresses, and the service needs a first and a last name/);
    }
  });
});

suite('two header rows', () => {
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
