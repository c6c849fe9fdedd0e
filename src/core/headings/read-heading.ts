// Reads a whole heading: paths, brackets, two languages in one cell.
import type { Meaning } from '../../data/schemas.ts';
import { headingKey, type Sense, wordSet, words } from '../words/words.ts';

/** The most characters of a heading that matter; more do not tell columns apart. */
export const longestName = 300;

/** Levels of JSON that say nothing of whose value it is. */
const containers =
  /^(?:attributes|data|employee|fields|individual|legalname|member|name|node|person|student|profile|properties|record|root|user|worker)$/;

const mostLanguages = 4;

/**
 * What a heading means; empty if that is not known. The whole decides where it is known, then a path into JSON, then
 * what is in brackets: `E-Mail (geschäftlich)` is the e-mail, `Name [surname]` (Entra) the surname, `First Name
 * [Required]` (Google) the first name, `Email (private)` nothing. Of a heading in two languages, `Nom / Name`, both must say
 * the same.
 */
export function readHeading(heading: string): readonly Sense[] {
  const name = heading.slice(0, longestName);
  const found = known.get(name) ?? readName(name);
  if (known.size >= mostKnown) known.clear();
  known.set(name, found);
  return found;
}

/** What was read a moment ago: all that looks for a column asks for the meaning of every heading, and a header may have thousands. */
const known = new Map<string, readonly Sense[]>();
const mostKnown = 20_000;

function readName(name: string): readonly Sense[] {
  const whole = sensesOf(headingKey(name));
  if (whole.length > 0) return whole;
  const own = sensesOfPerson(headingKey(name));
  if (own.length > 0) return own;
  const path = pathKey(name);
  if (path !== undefined) return sensesOf(path);
  const round = /^([^(（]+)[(（]([^)）]+)[)）]\s*$/.exec(name);
  if (round) return work().has(headingKey(round[2] ?? '')) ? sensesOf(headingKey(round[1] ?? '')) : [];
  const square = /^([^[]*)\[([^\]]*)\]/.exec(name);
  return square ? readBracket(square[1] ?? '', headingKey(square[2] ?? '')) : readTwoLanguages(name);
}

/** What a heading means that names the person too: `Student Name`, `Member Expired`. Another column of that meaning goes first. */
function sensesOfPerson(key: string): readonly Sense[] {
  for (const person of persons()) {
    const isBefore = key.startsWith(person);
    if (!isBefore && !key.endsWith(person)) continue;
    const rest = isBefore ? key.slice(person.length) : key.slice(0, -person.length);
    const found = sensesOf(rest).filter(({ meaning }) =>
      /^(?:(?:first|last|full)name|email|status|gone|endDate)$/.test(meaning),
    );
    if (found.length > 0)
      return found.map((sense) => ({
        ...sense,
        rank: sense.rank + 3,
        isUnsure: sense.isUnsure || sense.meaning === 'endDate',
      }));
  }
  return [];
}

function readBracket(before: string, inner: string): readonly Sense[] {
  const outer = readPresence(before);
  // `Block sign in (Yes/No) [accountEnabled]` says no of those who are enabled.
  if (outer.some(({ meaning }) => meaning === 'gone')) return outer;
  const found = sensesOf(inner);
  const means = (senses: readonly Sense[], what: Meaning): boolean => senses.some(({ meaning }) => meaning === what);
  if (means(found, 'telephone') && speaksOfNotOurs(before)) return [];
  // `Deputy [mail]` and `Manager [employeeId]` are those of somebody else; a name for signing in (Entra) is one's own.
  const isOurs = (what: Meaning): boolean =>
    !/\p{L}/u.test(before) ||
    [work, persons].some((words) => words().has(headingKey(before))) ||
    means(readHeading(before), what);
  if (means(found, 'email') && inner !== 'userprincipalname' && !isOurs('email')) return [];
  if (means(found, 'employeeId') && !isOurs('employeeId')) return [];
  return found.length > 0 || notOurs().has(inner) ? found : sensesOf(headingKey(before));
}

/** Whether a word of a heading says that it is private or somebody else's: `Private [mail]`. */
function speaksOfNotOurs(heading: string): boolean {
  return heading.split(/[^\p{L}\p{N}\p{M}]+/u).some((word) => notOurs().has(headingKey(word)));
}

/**
 * What a heading says about who is there: flags and days. Beyond `readHeading`, whatever is in brackets after a sure one
 * (`Active (Yes/No)`, `Leaving date (if known)`), a number before it, the answers behind it (`Active Y/N`), and the usual
 * levels of JSON (`employment.status.name`).
 */
export function readPresence(heading: string): readonly Sense[] {
  const name = splitAnswers(heading.slice(0, longestName).replace(/^\d+[.)]\s*/, '')).before;
  const [bare = '', inBrackets = ''] = name.split(/[[(（]/, 2);
  const levels = bare.split('.').map(headingKey);
  const last = levels.findLastIndex((level, at) => at === 0 || !labels.test(level));
  const isOwn = levels.slice(0, last).every((level) => containers.test(level) || ofEmployment.test(level));
  const plain = sensesOf(pathKey(bare) ?? headingKey(bare));
  const own = isOwn ? sensesOf(levels[last] ?? '') : [];
  // The day of a flag: `Konto gesperrt am`, `Blocked since`.
  const dated = sensesOf(headingKey(bare.replace(ofDay, ''))).filter(({ meaning }) => meaning === 'gone');
  for (const senses of [inBrackets === '' ? readHeading(name) : [], plain, own, dated]) {
    const found = senses.filter(
      ({ meaning, isUnsure }) =>
        /^(?:status|gone|endDate|startDate)$/.test(meaning) &&
        (senses !== plain || !isUnsure || inBrackets === '' || formOfDays.test(inBrackets)),
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** The two answers behind a heading, and what is before them: `Leaver Y/N`, `Aktiv: ja/nein`, `Active_YN`. */
export function splitAnswers(heading: string): { before: string; yes?: string } {
  const pair = /^(.*[^\s_:?=-])[\s_:?=-]+([\p{L}\d]{1,6})\s?[/|]\s?([\p{L}\d]{1,6})\s*\??$/u.exec(heading);
  const [one = '', other = ''] = pair?.slice(2).map((answer) => answer.toLowerCase()) ?? [];
  const before = pair?.[1] ?? '';
  // `O/N` and `S/N` are oui and sí.
  if ((yes().has(one) || /^[os]$/.test(one)) && no().has(other)) return { before, yes: one };
  if (no().has(one) && yes().has(other)) return { before, yes: other };
  return { before: heading.replace(/(?:[\s_-][yj]n|YN)$/i, '') };
}

/** Of which day at work a heading has words, and no others: `Anticipated start`, `Contract finish date`, not `Course start`. */
export function dayKindOf(heading: string): 'start' | 'end' | undefined {
  const spoken = heading.slice(0, longestName).replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  const keys = spoken.split(/[^\p{L}\p{M}]+/u).flatMap((word) => headingKey(word) || []);
  const isOf = (key: string): 'start' | 'end' | undefined =>
    starts().has(key) ? 'start' : ends().has(key) ? 'end' : undefined;
  const kinds = new Set(keys.map(isOf).filter((kind) => kind !== undefined));
  const [kind] = kinds;
  const isWhole = keys.length > 1 && keys.every((key) => isOf(key) !== undefined || ofWork().has(key));
  return isWhole && kinds.size === 1 ? kind : undefined;
}

/** Whether a heading says what is to be done with a row, or was done with a person: `Action`, `Change type`. */
export const isAction = (heading: string): boolean => actions().has(headingKey(heading.slice(0, longestName)));

/** Levels of JSON that say how somebody is employed or signs in. */
const ofEmployment =
  /^(?:access|account|contract|details|employment|flags|general|hr|info|job|login|meta|metadata|state|status|work)$/;
/** Last levels that say the same in other words. */
const labels = /^(?:code|description|displayname|id|key|label|name|text|title|value)$/;
const ofDay =
  /[\s_-](?:am|at|on|since|date|day|seit|datum|le|depuis|el|fecha|il|em|op|sinds|den|dato|dne|dnia|od)\s*$/i;
/** `dd/mm/yyyy`, `TT.MM.JJJJ` */
const formOfDays = /^[dmyjtagr./\s-]{4,12}[)）\]]/i;

function readTwoLanguages(name: string): readonly Sense[] {
  const [first = [], ...others] = name.split(/[/|\n]/, mostLanguages).map((part) => sensesOf(headingKey(part)));
  return first.flatMap((sense) => {
    const same = others.flatMap((each) => each.filter(({ meaning }) => meaning === sense.meaning));
    if (!others.every((each) => each.some(({ meaning }) => meaning === sense.meaning))) return [];
    // What one of the languages leaves open, another one says: `Nom / Nachname`.
    const all = [sense, ...same];
    return [{ ...sense, isBeside: all.every((each) => each.isBeside), isUnsure: all.every((each) => each.isUnsure) }];
  });
}

const work = wordSet('work');
const actions = wordSet('actions');
const starts = wordSet('starts');
const ends = wordSet('ends');
const ofWork = wordSet('ofWork');
const yes = wordSet('yes');
const no = wordSet('no');
const persons = wordSet('persons');
const notOurs = wordSet('notOurs');

const emails = wordSet('email');

/** Whether a heading has a word for e-mail in it, whosever it may be. */
export function speaksOfEmail(heading: string): boolean {
  const key = headingKey(heading.slice(0, longestName));
  return [...emails()].some((word) => (word.length > 3 || /[^a-z]/.test(word)) && key.includes(word));
}

/** The keys of parts of a heading, by which a person may call the column: what stands before and in brackets, the end of a path. */
export function partKeys(heading: string): string[] {
  const name = heading.slice(0, longestName);
  const path = pathKey(name);
  if (path !== undefined) return [path];
  const round = /^([^(]+)\(([^)]+)\)\s*$/.exec(name);
  if (round && work().has(headingKey(round[2] ?? ''))) return [headingKey(round[1] ?? '')];
  const square = /^([^[]*)\[([^\]]*)\]/.exec(name);
  return square ? [headingKey(square[1] ?? ''), headingKey(square[2] ?? '')].filter((key) => key !== '') : [];
}

/**
 * The key of a path into JSON that leads to a person's own value: `attributes.first_name.value` is `firstname`,
 * `emails[type=work].value` is `workemail`. Undefined for other names, and for what belongs to somebody or something
 * else (`department.name`).
 */
function pathKey(name: string): string | undefined {
  const typed =
    /^(?:[\w]+\.)*(email|phone|phonenumber)(?:s|_numbers|Numbers|Addresses|es)?\[(?:type|primary)=(\w+)\]\.?\w*$/i.exec(
      name,
    );
  if (typed) return headingKey(`${typed[2] === 'true' ? '' : typed[2]}${typed[1] ?? ''}`);
  const levels = name.split('.').map(headingKey);
  if (levels.at(-1) === 'value') levels.pop();
  const last = levels.pop();
  return levels.length > 0 && levels.every((level) => containers.test(level)) ? last : undefined;
}

let byKey: ReadonlyMap<string, readonly Sense[]> | undefined;

/** What a heading with this key (`headingKey`) can mean in any language. */
export function sensesOf(key: string): readonly Sense[] {
  byKey ??= new Map(words().senses.flatMap(({ senses, keys }) => keys.split(' ').map((each) => [each, senses])));
  return byKey.get(key) ?? [];
}
