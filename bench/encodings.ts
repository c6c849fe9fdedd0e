/**
 * How well the encoding of a list is found that nobody says: made-up staff of 21 languages, in each encoding that they are
 * written in, at 20, 200 and 2,000 rows, every fourth file in capitals. The names are none of those that the judging
 * was made from. A file is read right, asked about with the right answer on offer, refused, or wrong and silent, which must
 * be 0: else it exits with 1. A second table has encodings of DOS and old Macs.
 * A third has files with a single word outside ASCII.
 *
 *   node bench/encodings.ts [--files 20]
 */
import { parseArgs } from 'node:util';
import { bytesIn, outcomeOf, staffOf, type Outcome } from '../test/support/encoded-lists.ts';
import { nameLists } from '../test/support/names-by-language.ts';

const { values } = parseArgs({ options: { files: { type: 'string', default: '20' } } });
const files = Number(values.files);

type Tally = Record<Outcome, number>;
const none = (): Tally => ({ right: 0, asked: 0, refused: 0, wrong: 0 });
const columns = ['right', 'asked', 'refused', 'wrong'] as const;
let wrong = 0;

function print(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function heading(title: string, first: readonly string[]): void {
  process.stdout.write(`\n${title}\n\n`);
  print([...first, 'right', 'asked', 'refused', 'wrong and silent']);
  print([...first, ...columns].map(() => '---'));
}

function total(label: readonly string[], tally: Tally): void {
  wrong += tally.wrong;
  print([...label, ...columns.map((column) => tally[column])]);
}

for (const kind of ['encodings', 'older'] as const) {
  const totals = new Map<number, Tally>();
  heading(kind === 'encodings' ? 'Encodings of today' : 'Encodings of DOS and old Macs', [
    'language',
    'encoding',
    'rows',
  ]);
  for (const [language, list] of Object.entries(nameLists)) {
    for (const encoding of list[kind]) {
      for (const rows of [20, 200, 2000]) {
        const tally = none();
        const all = totals.get(rows) ?? none();
        // A large file is much like the next one.
        for (let file = 0; file < (rows === 2000 ? Math.ceil(files / 4) : files); file++) {
          const text = staffOf(list, rows, file * 7919 + rows);
          const outcome = await outcomeOf(bytesIn(file % 4 === 3 ? text.toUpperCase() : text, encoding), encoding);
          tally[outcome]++;
          all[outcome]++;
        }
        totals.set(rows, all);
        print([language, encoding, rows, ...columns.map((column) => tally[column])]);
      }
    }
  }
  for (const [rows, tally] of totals) total(['all', '', String(rows)], tally);
}

heading('A single word outside ASCII', ['language', 'encoding']);
const all = none();
for (const [language, { first, last, groups, encodings }] of Object.entries(nameLists)) {
  for (const encoding of encodings) {
    const tally = none();
    for (const word of [...first, ...last, ...groups]) {
      const bytes = bytesIn(`Name;Email\nx;x@example.com\n${word};y@example.com\n`, encoding);
      if (bytes.every((byte) => byte < 0x80)) continue;
      const outcome = await outcomeOf(bytes, encoding);
      tally[outcome]++;
      all[outcome]++;
    }
    print([language, encoding, ...columns.map((column) => tally[column])]);
  }
}
total(['all', ''], all);

if (wrong > 0) process.exitCode = 1;
