import { Readable } from 'node:stream';
import { RosterSyncError } from '../../src/core/errors.ts';
import { readBody } from '../../src/core/webhooks/body.ts';
import { readEvent } from '../../src/core/webhooks/event.ts';
import { defaultLimits } from '../../src/roster/files/limits.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { groupInsert } from '../../src/service/operation.ts';
import { interpret } from '../../src/service/interpret.ts';
import { odsOf, odsRows, odsSheet } from '../roster/ods-writer.ts';
import { textRows, workbookOf } from '../roster/workbook-writer.ts';
import { xlsOf } from '../roster/xls-writer.ts';
import { zipOf } from '../roster/zip-writer.ts';
import { Chance } from '../simulation/world/chance.ts';

const table = [
  ['First Name', 'Last Name', 'Email', 'Groups'],
  ['Ann', 'Ash', 'ann@example.com', 'Sales; "IT"'],
  ['Bo', 'Birk\nSmith', 'bo@example.com', 'Müller, Søn & Co'],
];
const csv = table.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
const people = [{ name: { given: 'Ann', family: 'Ash' }, emails: [{ value: 'ann@example.com' }], groups: ['Sales'] }];
const envelope = {
  status: 'success',
  data: [{ group: 'Sales', status: 'success', inserts: 1, warnings: 0 }],
  hash: 'a'.repeat(32),
  response_time: 0.1,
};

/** A parser, what it is given that is right, and how it is asked. It may throw our own errors only. */
export interface FuzzTarget {
  name: string;
  good: Buffer[];
  read(bytes: Buffer): unknown;
}

/** Much less than a file may have, so that what grows without a bound is noticed. */
const limits = {
  ...defaultLimits,
  bytes: 4 * 1024 ** 2,
  unpacked: 16 * 1024 ** 2,
  texts: 4 * 1024 ** 2,
  joined: 10_000,
};

async function readRoster(bytes: Buffer): Promise<void> {
  const roster = await openRoster(Readable.from([bytes]), { name: 'fuzz', limits });
  try {
    let rows = 0;
    for await (const batch of roster.batches()) if ((rows += batch.length) > 100_000) break;
  } finally {
    await roster.close();
  }
}

const sheet = { name: 'Staff', rows: textRows(table) };

/** Every parser of what comes from outside. */
export const fuzzTargets: FuzzTarget[] = [
  {
    name: 'text',
    good: [csv, csv.replaceAll(',', ';'), `\ufeff${csv}`]
      .map((text) => Buffer.from(text))
      .concat(Buffer.from(csv, 'utf16le')),
    read: readRoster,
  },
  {
    name: 'JSON',
    good: [
      JSON.stringify(people),
      `${JSON.stringify(people[0])}\n${JSON.stringify(people[0])}\n`,
      JSON.stringify({ Resources: people }),
    ].map((text) => Buffer.from(text)),
    read: readRoster,
  },
  { name: 'xlsx', good: [workbookOf({ sheets: [sheet] })], read: readRoster },
  { name: 'ods', good: [odsOf(odsSheet('Staff', odsRows(table)))], read: readRoster },
  { name: 'xls', good: [xlsOf({ sheets: [{ name: 'Staff', rows: table }] })], read: readRoster },
  {
    name: 'zip',
    good: [
      zipOf([{ name: 'staff.csv', content: csv }]),
      zipOf([
        { name: 'a.csv', content: csv },
        { name: 'b.csv', content: csv },
      ]),
    ],
    read: readRoster,
  },
  {
    name: 'webhooks',
    good: [
      Buffer.from(JSON.stringify({ id: 'e1', type: 'hired', data: { employees: people } })),
      Buffer.from('id=e1&data[fields][0]=first&data[fields][1]=last'),
    ],
    read: (bytes) => {
      for (const form of ['json', 'form'] as const) {
        const body = readBody(bytes, form);
        if (body === undefined) continue;
        const shape = { kind: ['type'], employees: ['data.id'], people: { at: 'data.employees' }, kinds: ['h*d'] };
        readEvent(shape, { headers: {}, body: bytes }, { body, hasMapping: true });
      }
    },
  },
  {
    name: 'envelopes',
    good: [Buffer.from(JSON.stringify(envelope)), Buffer.from('{"status":"error"}')],
    read: (bytes) => {
      const { kind } = interpret(
        { written: true, response: { status: 200, headers: {}, body: bytes, extent: 'complete' } },
        {
          ...{ operation: groupInsert, groups: ['Sales'], redact: (text) => text, now: () => 0 },
          ...{ host: 'service.example', setting: 'service.token', setAt: '' },
        },
      );
      if (kind !== 'accepted' && kind !== 'unrecognised') throw new Error(`an envelope became ${kind}`);
    },
  },
];

const tokens = [
  '"',
  '""',
  '\n',
  '\r',
  '\0',
  ',',
  ';',
  '\t',
  '{',
  '[',
  ']',
  '}',
  ':',
  '\\',
  '\\u',
  '<',
  '&',
  '<!DOCTYPE',
  '&#x10FFFF;',
  '__proto__',
  'PK\x03\x04',
  '\xff\xfe',
  '9'.repeat(400),
  '['.repeat(2000),
  '=1+1',
];

/** Bytes that are nearly right. */
export function spoil(good: readonly Buffer[], chance: Chance): Buffer {
  let bytes = Buffer.from(chance.pick(good));
  for (let change = chance.between(1, 6); change > 0; change -= 1) {
    const at = chance.between(0, bytes.length);
    const size = chance.weighted([
      [1, 4],
      [chance.between(1, 16), 3],
      [chance.between(1, 400), 1],
    ]);
    const [before, middle, after] = [bytes.subarray(0, at), bytes.subarray(at, at + size), bytes.subarray(at + size)];
    const rest = bytes.subarray(at);
    bytes = chance.pick([
      () => Buffer.concat([before, after]),
      () => Buffer.concat([before, middle, middle, after]),
      () => Buffer.concat([before, Buffer.from(middle.map(() => chance.between(0, 255))), after]),
      () => Buffer.concat([before, Buffer.from(middle.map((byte) => byte ^ (1 << chance.between(0, 7)))), after]),
      () => Buffer.concat([before, Buffer.from(chance.pick(tokens), 'latin1'), rest]),
      () => Buffer.concat([before, chance.pick(good).subarray(chance.between(0, 200))]),
      () => before,
    ])();
  }
  return bytes;
}

/** Longer than reading a few kilobytes takes on a machine that is busy. */
const longestMs = 20_000;
/** More than any of these files needs, in bytes. */
const mostMemory = 1024 ** 3;

/** What was wrong with one input; undefined if nothing was. */
export async function tryOne(target: FuzzTarget, bytes: Buffer): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`it took longer than ${longestMs / 1000} s`), longestMs);
  const began = process.cpuUsage();
  const reading = (async () => {
    try {
      await target.read(bytes);
    } catch (error) {
      if (!(error instanceof RosterSyncError))
        return `an error that is not ours: ${error instanceof Error ? error.stack : String(error)}`;
    }
    return undefined;
  })();
  const wrong = await Promise.race([reading, late.promise]);
  clearTimeout(timer);
  const { user } = process.cpuUsage(began);
  if (wrong === undefined && user > 5_000_000) return `it took ${Math.round(user / 1000)} ms of processor time`;
  if (wrong === undefined && process.memoryUsage().rss > mostMemory) return 'memory has grown beyond its limit';
  return wrong;
}

/** Reads spoilt inputs of every parser until the time is over. Returns how many were read, and the first that went wrong. */
export async function fuzz(seed: number, forMs: number): Promise<{ inputs: Record<string, number>; wrong?: string }> {
  const chance = new Chance(seed);
  const inputs: Record<string, number> = {};
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    for (const target of fuzzTargets) {
      const bytes = spoil(target.good, chance);
      inputs[target.name] = (inputs[target.name] ?? 0) + 1;
      const wrong = await tryOne(target, bytes);
      if (wrong !== undefined)
        return {
          inputs,
          wrong: `${target.name}, seed ${seed}: ${wrong}\nthe input, in Base64: ${bytes.toString('base64')}`,
        };
    }
  }
  return { inputs };
}

// `npm run fuzz -- MINUTES [SEED]`
if (import.meta.main) {
  const [minutes = '60', seed = String(Math.floor(Math.random() * 1_000_000_000))] = process.argv.slice(2);
  const { inputs, wrong } = await fuzz(Number(seed), Number(minutes) * 60_000);
  process.stdout.write(`seed ${seed}: ${JSON.stringify(inputs)}\n${wrong ?? 'nothing was wrong'}\n`);
  process.exitCode = wrong === undefined ? 0 : 1;
}
