// Tells by their names which files are never a roster, and which are of a series, with a day in each name.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { monthNamed } from '../../core/cells/days.ts';
import { headingKey, listOf } from '../../core/words/words.ts';

/** Hidden files, locks of Excel and LibreOffice, what systems add of their own, and what programs write until they are done. */
const passing =
  /^(?:\.|~\$|__MACOSX$|thumbs\.db$|desktop\.ini$)|\.(?:part|partial|filepart|crdownload|download|te?mp|swp|lock|lck)$|~$/i;

/** Whether a name, or that of a folder in a path inside an archive, is that of a file that nobody means. */
export function isPassing(path: string): boolean {
  return path.split('/').some((name) => passing.test(name));
}

/** Whether a pattern means a file that matches it: one that passes only where the pattern says so itself, such as `*.tmp`. */
export function isMeant(path: string, pattern: string): boolean {
  return !passing.test(nameIn(path)) || passing.test(nameIn(pattern));
}

function nameIn(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

interface DatedFiles {
  /** `exports/staff-*.csv` */
  pattern: string;
  files: number;
  newest: string;
  /** The longest time between two of the last files, in days. */
  gap: number;
}

/** A day or month in a name, the year first or last, with a time or without; another day behind it is no time. */
const day =
  /(?<!\d)(?:(?<year>20\d\d)[-_./]?(?<month>0[1-9]|1[0-2])(?:[-_./]?(?<date>[0-3]\d))?|(?:(?<one>\d\d)[-_.])?(?<two>\d\d)[-_.](?<last>20\d\d))(?:(?!.20\d\d(?:[-_.]\d|0[1-9]|1[0-2]))[-_.T ]?(?<hour>\d\d)[-_.:]?(?<minute>\d\d)(?:[-_.:]?(?<second>\d\d))?)?(?!\d)/g;
/** The same with a word that may be a month. */
const yearFirst = /(?<!\d)(?<year>20\d\d)[-_. ]?(?<month>\p{L}[\p{L}\p{M}]{2,20})(?![\p{L}\d])/gu;
const yearLast =
  /(?<![\p{L}\d])(?:(?<date>\d{1,2})[-_. ])?(?<month>\p{L}[\p{L}\p{M}]{2,20})[-_. ]?(?:(?<on>\d{1,2})[-_., ]{1,2})?(?<year>20\d\d)(?![-_.]?\d)/gu;
/** A word and a number, of which a week or a quarter is made, with its year or without. */
const numbered =
  /(?<!\d)(?:20\d\d[-_. ]?)?(?<!\p{L})(\p{L}[\p{L}\p{M}]{0,20})[-_. ]?(?:[1-4]\d|5[0-3]|0?[1-9])(?:[-_. ]20\d\d)?(?![\p{L}\d])/gu;
const partsOfYears = listOf('parts-of-years');
/** The number of a copy or of a version at the end of a name. */
const version = /(?: ?\(\d{1,3}\)|[-_. ]v\d{1,3})+$/i;
const dayMs = 86_400_000;
const lastFiles = 10;

/** A name with its months as numbers: `staff-2026-03` of `staff-March-2026`. */
function withNumbers(name: string): string {
  const inNumbers = (whole: string, ...found: unknown[]): string => {
    const { year, month = '', on, date = on } = found.at(-1) as Partial<Record<string, string>>;
    const number = monthNamed(month);
    if (number === undefined) return whole;
    return [year, number, ...(date === undefined ? [] : [date])].map((part) => String(part).padStart(2, '0')).join('-');
  };
  return name.replaceAll(yearFirst, inNumbers).replaceAll(yearLast, inNumbers);
}

/** The last day in a path, in ms: read with the day before the month, and the other way round, where the year is last. */
function dayIn(path: string): { whole: string; times: number[] } | undefined {
  const [whole, named] =
    [...withNumbers(path).matchAll(day)].map((found) => [found[0], found.groups ?? {}] as const).at(-1) ?? [];
  if (whole === undefined || !named) return undefined;
  const { year, month, date = '01', one = '01', two, last, hour = 0, minute = 0, second = 0 } = named;
  const clock = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  const days = year === undefined ? [`${last}-${two}-${one}`, `${last}-${one}-${two}`] : [`${year}-${month}-${date}`];
  return { whole, times: days.map((text) => Date.parse(text) + clock) };
}

/** Whether the name of a file has an earlier day than that of another, whichever of day and month is first in them. */
export function hasEarlierDay(path: string, other: string): boolean {
  const [own, its] = [dayIn(path)?.times ?? [], dayIn(other)?.times ?? []];
  const gaps = own.map((time, at) => (its[at] ?? Number.NaN) - time);
  return gaps.some((gap) => gap > 0) && !gaps.some((gap) => gap <= 0);
}

/** What the files of a series are called alike, from the name of one: without a day, week, month, version or number of a copy. */
export function seriesOf(name: string): string {
  const plain = withNumbers(name)
    .replaceAll(day, '*')
    .replaceAll(numbered, (whole, word: string) => (partsOfYears().has(headingKey(word)) ? '*' : whole))
    .replaceAll(/[-_. ]{0,3}\*/g, '')
    .replace(version, '');
  return plain === name ? name : plain.replaceAll(/^[-_. ]{1,3}|[-_. ]{1,3}$/g, '');
}

const withoutEnding = (path: string): string => path.replace(/\.[^./\\]*$/, '');
const seriesOfPath = (path: string): string => seriesOf(withoutEnding(path));

/** The files that are of another series than any `among` these. */
export function othersOf(files: readonly string[], among: readonly string[]): string[] {
  const names = new Set(among.map(seriesOfPath));
  return files.filter((path) => !names.has(seriesOfPath(path)));
}

/** The files of now that are one file and a copy or version of it (`staff (1).csv`), where only one of them was there before. */
export function copiesIn(now: readonly string[], before: readonly string[]): string[] {
  const original = (path: string): string => withoutEnding(path).replace(version, '');
  const had = Map.groupBy(before, original);
  const has = [...Map.groupBy(now, original)];
  return has.flatMap(([name, files]) => (files.length > 1 && had.get(name)?.length === 1 ? files : []));
}

/**
 * The files of before that are not among those of now, by the names of their series; none where as many new ones may have taken
 * their places.
 */
export function missingOf(before: readonly string[], now: readonly string[]): string[] {
  const missing = othersOf(before, now);
  return missing.length > new Set(othersOf(now, before).map(seriesOfPath)).size ? missing : [];
}

function readName(name: string): { pattern: string; name: string; time: number }[] {
  const { whole = '', times = [] } = (!isPassing(name) && dayIn(name)) || {};
  const time = times.find((each) => !Number.isNaN(each));
  return time === undefined ? [] : [{ pattern: withNumbers(name).replace(whole, '*'), name, time }];
}

/** The files of a folder of which most are called alike, or those called like a file; undefined if there are not two. */
export async function datedFiles(path: string): Promise<DatedFiles | undefined> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory();
  if (isFolder === undefined) return undefined;
  const folder = isFolder ? path : dirname(path);
  const names = await readdir(folder);
  const alike = Map.groupBy(names.flatMap(readName), ({ pattern }) => pattern);
  const [own] = readName(basename(path));
  const most = [...alike.values()].find((each) => each.length * 2 > names.length);
  const found = isFolder ? most : own && alike.get(own.pattern);
  const dated = found?.toSorted((a, b) => a.time - b.time || (a.name < b.name ? -1 : 1)) ?? [];
  const newest = dated.at(-1);
  if (!newest || dated.length < 2) return undefined;
  const times = dated.slice(-lastFiles).map(({ time }) => time);
  const gap = Math.max(1, ...times.slice(1).map((time, at) => Math.round((time - (times[at] ?? time)) / dayMs)));
  return { pattern: join(folder, newest.pattern), files: dated.length, newest: join(folder, newest.name), gap };
}
