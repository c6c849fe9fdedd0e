// The remarks collected while rows become members.
import type { GroupNames } from './group-names.ts';
import type { NoValues } from './no-values.ts';
import { quote } from '../text/quote.ts';

const mostNamed = 5;

function telephones(count: number): string {
  return count === 1 ? '1 telephone is left out' : `${count} telephones are left out`;
}

/** What a remark says about how many texts, and of the first of them. Texts that tell something of a person are not shown. */
const sayings = {
  noNumber: (count: number, first: string) =>
    `${telephones(count)}: not a valid number, more than one, or with words beside it; ${first}`,
  noTelephone: (count: number, first: string, text: string, keeper: string) =>
    `${telephones(count)}: no value; ${first}, ${text}; ${keeper} keeps the intended ones`,
  shortened: (count: number, first: string, text: string) =>
    `${telephones(count)}: a spreadsheet has shortened the number; ${first}, ${text}`,
  digits: (count: number, first: string) =>
    `${count === 1 ? '1 name has a digit and is' : `${count} names have digits and are`} sent as written; ${first}`,
  signs: (count: number, first: string) =>
    `${count === 1 ? '1 name has' : `${count} names have`} brackets, an "and", or signs such as & and *, and ${count === 1 ? 'is' : 'are'} sent as written: check for remarks and two people in one row; ${first}`,
  mailbox: (count: number, first: string) =>
    `${count === 1 ? '1 address looks' : `${count} addresses look`} like a shared mailbox, a machine or a test, and ${count === 1 ? 'is' : 'are'} sent; ${first}`,
  domain: (count: number, first: string, text: string) =>
    `${count === 1 ? '1 address has a domain that looks' : `${count} addresses have domains that look`} mistyped or internal, and ${count === 1 ? 'is' : 'are'} sent: ${text}; ${first}`,
  letters: (count: number, first: string) =>
    `${count === 1 ? '1 address has letters' : `${count} addresses have letters`} outside ASCII before the @, which many mail servers refuse, and ${count === 1 ? 'is' : 'are'} sent; ${first}`,
  comma: (count: number, first: string) =>
    `${count === 1 ? '1 name has a comma or a title and is' : `${count} names have commas or titles and are`} sent as written; ${first}`,
  beside: (count: number, first: string, text: string) =>
    `${count === 1 ? '1 remark behind a name is' : `${count} remarks behind names are`} left out; ${first}, ${text}`,
  split: (count: number, first: string) =>
    `${count === 1 ? '1 name of more than two words was' : `${count} names of more than two words were`} split by a guess: check the samples, or say how they are written; ${first}`,
  heading: (count: number, first: string, text: string) =>
    `${count === 1 ? 'a row is only a heading' : `${count} rows are only headings`} that may say who has left, ${text}; the people below are sent: check whether they are still there; ${first}`,
  header: (count: number, first: string) =>
    `${count === 1 ? 'a row repeats' : `${count} rows repeat`} the header: if another list begins there, its people are sent too; ${first}`,
  oneWord: (count: number, first: string) =>
    `${count === 1 ? '1 name of one word is' : `${count} names of one word are`} split behind the surname: check them in the sample; ${first}`,
  nobody: (count: number, first: string) =>
    `${count === 1 ? '1 name looks' : `${count} names look`} like a test, a vacancy or a team, and ${count === 1 ? 'is' : 'are'} sent; ${first}`,
};

/** What was noticed while rows became members, to be said before anything is sent. */
export class Remarks {
  readonly #names: GroupNames;
  readonly #noValues: NoValues;
  readonly #others: readonly string[];
  readonly #seen = new Map<keyof typeof sayings, { count: number; line: number; text: string }>();

  constructor(names: GroupNames, noValues: NoValues, others: readonly string[] = []) {
    this.#others = others;
    this.#names = names;
    this.#noValues = noValues;
  }

  /** Something about a text on a line. */
  note(what: keyof typeof sayings, text: string, line: number): void {
    const seen = this.#seen.get(what);
    if (seen) seen.count += 1;
    else this.#seen.set(what, { count: 1, line, text });
  }

  /** Each remark as one sentence without its full stop. */
  list(): string[] {
    const { keeper } = this.#noValues;
    const { merged, refused, odd, codes } = this.#names.remarks;
    const spellings = [...merged].map(([name, others]) => `${quotedOf([...others])} as ${quote(name)}`);
    const left = [...refused].map(withRows);
    const none = [...this.#noValues.groups].map(withRows);
    return [
      ...this.#others,
      ...(spellings.length > 0 ? [`groups that differ only in case are one: ${some(spellings)}`] : []),
      ...(odd.length > 0 ? [`groups that look like something else: ${quotedOf(odd)}; is this the right column?`] : []),
      ...(codes.length > 0 ? [`groups that look like codes: ${quotedOf(codes)}; ${renameAs(codes[0], keeper)}`] : []),
      ...(left.length > 0 ? [`allow.groups leaves out ${some(left)}`] : []),
      ...(none.length > 0
        ? [`left out as groups, since they stand for no value: ${some(none)}; ${keeper} keeps the intended ones`]
        : []),
      ...[...this.#seen].map(([what, { count, line, text }]) =>
        sayings[what](count, `the first: line ${line}`, quote(text), keeper),
      ),
    ];
  }
}

/** How a code gets a name, by a flag or a setting. */
function renameAs(code: string | undefined, keeper: NoValues['keeper']): string {
  return keeper === 'allow.values'
    ? `rename: { ${quote(code ?? '')}: NAME } gives one a name`
    : `--map-group ${code}=NAME gives one a name, --map-group-file FILE all of them`;
}

function withRows([name, rows]: [string, number]): string {
  return `${quote(name)} (${rows} ${rows === 1 ? 'row' : 'rows'})`;
}

function quotedOf(names: readonly string[]): string {
  return some(names.map((name) => quote(name)));
}

function some(items: readonly string[]): string {
  const shown = items.slice(0, mostNamed).join(', ');
  return items.length > mostNamed ? `${shown} and ${items.length - mostNamed} more` : shown;
}
