/**
 * What somebody would write in an afternoon: papaparse, p-limit and fetch. Works when told to, and ends when done.
 *
 *   node plain-script.ts <roster> <service url> <token> <concurrency>
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import pLimit from 'p-limit';
import Papa from 'papaparse';

interface Row {
  'First Name': string;
  'Last Name': string;
  Email: string;
  Groups: string;
}

const [roster = '', url = '', token = '', concurrency = '1'] = process.argv.slice(2);
const limit = pLimit(Number(concurrency));

async function call(row: Row): Promise<void> {
  const response = await fetch(`${url}/v1/groups/insert`, {
    method: 'POST',
    headers: { authorization: `Basic ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      groups: row.Groups.split(';'),
      user: { firstname: row['First Name'], lastname: row['Last Name'], email: row.Email },
      invite: true,
      forceSync: false,
    }),
  });
  const { status } = (await response.json()) as { status: string };
  if (!response.ok || status !== 'success') throw new Error(`status ${response.status}`);
}

process.send?.('ready');
await once(process, 'message');
const { data } = Papa.parse<Row>(readFileSync(roster, 'utf8'), { header: true, skipEmptyLines: true });
await Promise.all(data.map((row) => limit(() => call(row))));
process.disconnect?.();
