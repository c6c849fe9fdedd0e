import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { after, afterEach, before, suite, test } from 'node:test';
import { odsOf, odsRows, odsSheet } from '../roster/ods-writer.ts';
import { workbookOf, textRows } from '../roster/workbook-writer.ts';
import { xlsOf } from '../roster/xls-writer.ts';
import { zipOf } from '../roster/zip-writer.ts';
import { threadLimits } from '../../src/roster/thread/open-in-thread.ts';
import { type Answered, type ApiServer, startApiServer } from './api-server.ts';

const header = ['First name', 'Last name', 'E-mail', 'Group'];
const tableOf = (rows: number, columns = 4): string[][] => [
  Array.from({ length: columns }, (_, at) => header[at] ?? `Column ${at}`),
  ...Array.from({ length: rows }, (_, row) =>
    Array.from(
      { length: columns },
      (__, at) => ['Ann', `Ek ${row}`, `ann${row}@example.com`, 'Sales'][at] ?? `v${at % 7}`,
    ),
  ),
];
const csvOf = (table: readonly (readonly string[])[]): string => table.map((cells) => `${cells.join(',')}\n`).join('');
const htmlOf = (table: readonly (readonly string[])[]): string =>
  `<html><body><table>${table.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table></body></html>`;
const excel2003Of = (table: readonly (readonly string[])[]): string =>
  `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="A"><Table>${table
    .map((cells) => `<Row>${cells.map((cell) => `<Cell><Data ss:Type="String">${cell}</Data></Cell>`).join('')}</Row>`)
    .join('')}</Table></Worksheet></Workbook>`;

/** Large in their rows, columns or texts: one of each format, and what is packed. */
const large: Record<string, () => Buffer> = {
  'wide.csv': () => Buffer.from(csvOf(tableOf(100, 2000))),
  'staff.csv.gz': () => gzipSync(csvOf(tableOf(10_000))),
  'staff.zip': () => zipOf([{ name: 'staff.csv', content: csvOf(tableOf(10_000)) }]),
  'staff.xlsx': () => workbookOf({ sheets: [{ name: 'A', rows: textRows(tableOf(3000)) }] }),
  'staff.ods': () => odsOf(odsSheet('A', odsRows(tableOf(3000)))),
  'staff.xls': () => xlsOf({ sheets: [{ name: 'A', rows: tableOf(3000) }] }),
  'staff.html': () => Buffer.from(htmlOf(tableOf(3000))),
  'staff.xml': () => Buffer.from(excel2003Of(tableOf(3000))),
  'staff.json': () =>
    Buffer.from(
      JSON.stringify({
        people: tableOf(10_000)
          .slice(1)
          .map(([first, last, mail, group]) => ({ first, last, mail, group })),
      }),
    ),
};

suite('a large upload', () => {
  let server: ApiServer;
  let token: string;
  const { ms } = threadLimits;
  before(async () => {
    server = await startApiServer();
    token = await server.token('client', ['read', 'run']);
  });
  after(() => server.close());
  afterEach(() => void (threadLimits.ms = ms));

  const post = (path: string, body: Buffer): Promise<Answered> =>
    server.ask(`/api/v1/${path}`, {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/octet-stream' },
      body,
    });

  for (const [name, make] of Object.entries(large)) {
    test(`${name}: /healthz is answered while it is read, and beyond the limit of time it is refused`, async () => {
      const body = make();
      let isRead = false;
      const reading = post(`uploads?file=${name}`, body).finally(() => (isRead = true));
      let answers = 0;
      for (; !isRead; answers += 1) assert.equal((await server.ask('/healthz')).status, 200);
      const { status, json, text } = await reading;
      assert.equal(status, 201, text);
      assert.ok(json.rows >= 20, text);
      assert.ok(answers >= 5, `${answers} answers`);
      threadLimits.ms = 1;
      const refused = await post(`uploads?file=${name}`, body);
      assert.equal(refused.status, 201, refused.text);
      const said = `${name}: reading it takes more than 0.001 s, so it was stopped, and nothing in it is sent. Save it as CSV or split it, and import it again.`;
      assert.deepEqual(refused.json.problems, [said]);
      const run = await post(`runs/upload?source=staff&file=${name}`, body);
      assert.deepEqual([run.status, run.json.code, run.json.detail], [422, 'INPUT', said]);
      assert.equal((await server.ask('/healthz')).status, 200);
    });
  }
});
