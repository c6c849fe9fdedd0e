// Recognises tables that are not about people, and log files.
import { dataOf } from '../../data/data.ts';
import type { Table } from '../../data/schemas.ts';
import { headingKey, wordsOf } from '../words/words.ts';

const tables = dataOf<Table>('tables');

const enough = 2;

/** What a table is of by its headings, where these are surely not of people: `a bank statement`; undefined if nobody can say. */
export function kindOfTable(header: readonly string[]): string | undefined {
  const keys = header.map((name) => headingKey(name));
  const counted = Object.values(tables()).map(({ what, headings }) => {
    const known = wordsOf(headings).map(headingKey);
    return { what, found: keys.filter((key) => known.includes(key)).length };
  });
  const [best] = counted.toSorted((a, b) => b.found - a.found);
  return best && best.found >= enough ? best.what : undefined;
}

/** A line that begins with a time, a syslog priority, or the address and time of a web request. */
export const isLogLine = (line: string): boolean =>
  /^(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}|<\d{1,3}>|[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} |\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG)\]?[ :])/.test(
    line,
  );
