import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal } from './fetching.ts';
import { ada, files, fingerprint, header, rows, server } from './sftp-source.ts';

test('a file is read with a password, named by its host, with its own time', async (t) => {
  const { open } = await server(t, files(['/out/staff.csv', header + ada]));
  const roster = await open();
  assert.equal(roster.form.file, '127.0.0.1:/out/staff.csv');
  assert.equal(roster.modifiedAt.toISOString(), '2026-03-02T02:00:00.000Z');
  assert.deepEqual(await rows(roster), ['Ada|Berg|ada.berg@example.com']);
});

test('an unknown host key ends it before any credential is sent', async (t) => {
  const { open, logins, connections } = await server(t, files(['/out/staff.csv', header + ada]));
  const other = [`SHA256:${'A'.repeat(43)}`];
  const message = await refusal(open({ fingerprint: other }));
  assert.match(message, /showed the key SHA256:.*, which is not the one in fingerprint/);
  assert.ok(message.includes(fingerprint[0] ?? ''));
  assert.deepEqual(logins, []);
  assert.equal(connections(), 1);
  assert.deepEqual(await rows(await open({ fingerprint: [...other, ...fingerprint] })), [
    'Ada|Berg|ada.berg@example.com',
  ]);
});

test('a file that has fewer or more bytes than the server says is read again, and then refused', async (t) => {
  const content = header + ada;
  for (const [saysSize, said] of [
    [content.length + 1, `it has ${content.length + 1} bytes, and ${content.length} came`],
    [content.length - 1, `it has ${content.length - 1} bytes, and more than ${content.length - 1} came`],
    [0, 'it has 0 bytes, and more than 0 came'],
  ] as const) {
    const { open, connections } = await server(t, files(['/out/staff.csv', content]), { saysSize });
    const message = await refusal(open({ attempts: 2 }));
    assert.match(message, new RegExp(`staff\\.csv changed while it was read: ${said} \\(tried 2 times\\)`));
    assert.equal(connections(), 2);
  }
});
