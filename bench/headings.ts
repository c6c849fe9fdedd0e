/**
 * How many of some 490 headings of real exports, in 35 languages, are found by themselves, and how many that must be left to a
 * person are. Exits 1 when one of them is taken for something that it is not, or fewer than 9 of 10 are found.
 *
 *   node bench/headings.ts [--list]
 */
import { parseArgs } from 'node:util';
import { listColumns, meaningOf } from '../src/core/columns/columns.ts';
import { exportHeadings } from './support/export-headings.ts';

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });

const judged = exportHeadings.map((each) => {
  const columns = listColumns([each.heading, ...each.beside]);
  const found = columns[0] && meaningOf(columns, columns[0]);
  const verdict = (found ?? 'none') === each.means ? 'right' : found === undefined ? 'not found' : ('wrong' as const);
  return { ...each, found: found ?? 'none', verdict };
});
const toFind = judged.filter(({ means }) => means !== 'none');
const traps = judged.filter(({ means }) => means === 'none');
const count = (of: typeof judged, verdict: string): number => of.filter((each) => each.verdict === verdict).length;
const languages = new Set(judged.map(({ language }) => language)).size;

console.log(`${judged.length} headings of exports in ${languages} languages`);
console.log(
  `  to be found      ${toFind.length}: ${count(toFind, 'right')} right, ${count(toFind, 'not found')} not found, ${count(toFind, 'wrong')} wrong`,
);
console.log(`  to be left alone ${traps.length}: ${count(traps, 'right')} right, ${count(traps, 'wrong')} wrong`);
for (const { language, system, heading, means, found, verdict } of judged) {
  if (verdict === 'wrong' || (verdict === 'not found' && values.list))
    console.log(`  ${verdict}: ${language}, ${system}: ${heading} is ${means}, taken for ${found}`);
}
const isGood = count(judged, 'wrong') === 0 && count(toFind, 'right') >= toFind.length * 0.9;
if (!isGood) process.exitCode = 1;
