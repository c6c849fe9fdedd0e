// Puts what every face says into the words of a page: steps as buttons, nothing that only a terminal understands.
import { type NextStep, withNext } from '../core/errors.ts';
import { forgottenReason } from '../core/person/forgotten.ts';
import { say, sentences } from '../core/words/say.ts';
import { words } from './words.ts';

/** The path of a setting, which no name of a file or a server is. */
const settingPath =
  /(?<![\p{L}\d./@-])(?:account|allow|answers|auth|azureBlob|delivery|groups|guards|invites|members|notify|paging|pgp|read|retention|server|service|sql)\.(?!(?:csv|example|gz|html|json|ods|pdf|pgp|tsv|txt|xls|xlsm|xlsx|xml|yaml|zip)\b)[a-z]\w*(?!\w|\.[a-z]+(?!\w))/u;
/** Commands, flags, values of settings, variables, pages of the documentation, and what a shell runs. */
const command =
  /\x60|(?<![\p{L}\d-])--[a-z]|\b[a-z][A-Za-z]{1,30}: (?:true|false|\{|\[)|\b[A-Z]{2,30}_[A-Z]|\bdocs\/[a-z]|\bCtrl-C\b|\b(?:apt-get|chmod|chown|npm|sudo|ulimit|stdin|stdout)\b|\broster-sync (?:demo|doctor|init|open|serve|worker)\b/u;

/** What of a text helps only at a terminal or in a file of settings: the first word of that, and where it stands. */
export function terminalWord(text: string): RegExpExecArray | undefined {
  const found = [settingPath.exec(text), command.exec(text)].filter((each) => each !== null);
  return found.toSorted((one, other) => one.index - other.index)[0];
}

/** What stands in quotes is of a roster or a server, whatever it looks like. */
const masked = (text: string): string =>
  text
    .split('"')
    .map((part, at) => (at % 2 === 0 ? part : 'x'.repeat(part.length)))
    .join('"');

/** A clause of fewer characters says nothing by itself: it names a file or a source. */
const shortest = 12;

/** What was said without its clauses for a terminal, with whom to ask instead. What the first sentence says is kept. */
export function inPageWords(said: string): string {
  const text = said.replaceAll(/ \(([\w.]+)\)/g, (all, inside: string) => (settingPath.test(inside) ? '' : all));
  if (!terminalWord(masked(text))) return text;
  let at = 0;
  let isCut = false;
  const kept = masked(text)
    .split(/(?<=[.?!]\s|\n)/)
    .flatMap((part, place) => {
      const words = text.slice(at, (at += part.length)).trim();
      const found = terminalWord(part)?.index;
      if (words === '') return [];
      if (found === undefined) return words;
      const clause = Math.max(part.lastIndexOf(': ', found), part.lastIndexOf('; ', found));
      const short = words.slice(0, Math.max(0, clause)).replace(/, or$/, '');
      const isClause = short.length > shortest && short.lastIndexOf('(') <= short.lastIndexOf(')');
      if (place === 0 && !isClause) return words;
      isCut = true;
      return isClause ? `${short}.` : [];
    });
  if (!isCut) return text;
  return `${kept.join(' ').replace(/(?<![.?!])$/, '.')} ${words('Ask whoever runs roster-sync.')}`;
}

/** The first sentence of what was said, and the others. */
export function titleAndRest(said: string): [title: string, rest: string] {
  const [first = '', ...others] = said.split(/(?<=[.?!])\s+|\n+/);
  return [first.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()), others.join(' ')];
}

/** Why a row was rejected, and what to press about it. */
export function whyRejected(reason: string): string {
  return reason === forgottenReason ? withButtons(reason, [{ act: 'people.allow' }]) : inPageWords(reason);
}

/** What was said, and what to press. `run`: the one on whose page it is said. */
export function withButtons(said: string, steps?: readonly NextStep[], run?: string): string {
  return withNext(inPageWords(said), steps, (step) => {
    const name = sentences()[`page-${'act' in step ? step.act : step.setting}`];
    const isElsewhere = name !== undefined && 'run' in step && step.run !== run;
    return isElsewhere ? say('elsewhere', 1, { name, run: step.run }) : name;
  });
}
