// The signs that people have left, are disabled, or have not started, and the rules that leave them out.
import { defined } from '../../defined.ts';
import { escapeText, shownText, count, figure, someOf } from '../../text/format.ts';
import { say } from '../../words/say.ts';
import type { ConditionRule, PresenceRules } from '../../mapping/mapping-rules.ts';

/** `status`: words such as Terminated, or yes and no; `end`: a last day in the past; `start`: a first day to come. */
export type Sign = StatusSign | DaySign;

/** Words of a status column, or yes and no of a flag. */
export interface StatusSign {
  kind: 'status';
  column: string;
  /** Rows of people of whom it says so. */
  rows: number;
  /** The words that say so, the most frequent first; the empty text for empty cells. */
  words: { word: string; rows: number }[];
  /** Words with unknown meaning: these people are kept. */
  unknown: { word: string; rows: number }[];
  /** The words stand in longer cells. */
  isPart?: true;
}

export interface DaySign {
  kind: 'end' | 'start';
  column: string;
  rows: number;
  /** How a day is taken to be written of which day and month could be swapped; absent if the cells leave no doubt. */
  order?: 'dmy' | 'mdy';
  /** Both orders are as likely. */
  isGuess?: true;
}

export function presenceRules(signs: readonly Sign[]): PresenceRules {
  const begun = signs.flatMap((sign) => (sign.kind === 'start' ? [sign] : []));
  // Of several columns, the one by which most people wait.
  const start = begun.toSorted((a, b) => b.rows - a.rows)[0];
  const except = signs.flatMap((sign): ConditionRule[] => {
    const { column } = sign;
    if (sign.kind === 'status' && sign.isPart) return sign.words.map(({ word }) => ({ column, contains: word }));
    if (sign.kind === 'status') return [{ column, in: sign.words.map(({ word }) => word) }];
    return sign.kind === 'end' ? [{ column: sign.column, past: true, ...defined({ order: sign.order }) }] : [];
  });
  if (!start) return { except };
  const { column, order } = start;
  return { except, startDate: order ? { column, order } : column };
}

/** What signs say, for a person: `Status says who is not there: Terminated 3, Leaver 1`. */
export function signSentences(signs: readonly Sign[]): string[] {
  return signs.map((sign) => {
    const column = shownText(sign.column);
    if (sign.kind === 'status') {
      const kept = sign.unknown.length > 0 ? ` (not known, so kept: ${wordList(sign.unknown)})` : '';
      return `${column} says who is not there: ${wordList(sign.words)}${kept}`;
    }
    const read = { dmy: ', read as day/month/year', mdy: ', read as month/day/year' };
    const guess = sign.isGuess ? ', but no cell says which comes first' : '';
    const order = sign.order ? read[sign.order] + guess : '';
    const when = sign.kind === 'end' ? 'in the past' : 'in the future';
    return `${column} is ${when} in ${count(sign.rows, 'row')}${order}`;
  });
}

/** What is not sure of signs that leave people out: words that are kept, and the order of day and month. */
export function doubtsOf(signs: readonly Sign[]): string[] {
  return signs.flatMap((sign) => {
    if (sign.kind === 'status') {
      const unknown = sign.unknown.filter(({ word }) => word !== '');
      return unknown.length > 0 ? [sayWords('unknownStatus', sign.column, unknown)] : [];
    }
    const order = sign.order === 'dmy' ? 'day/month/year' : 'month/day/year';
    return sign.isGuess ? [say('guessedOrder', sign.rows, { column: shownText(sign.column), order })] : [];
  });
}

/** A remark about words of a column: `unknownStatus` where no other word says that anybody has left, or `endedStatus`. */
export function sayWords(what: string, column: string, words: StatusSign['words']): string {
  return say(what, rowsOf(words), { column: shownText(column), words: wordList(words) });
}

export const rowsOf = (words: StatusSign['words']): number => words.reduce((sum, { rows }) => sum + rows, 0);

/** What signs say without any text of the roster. */
export function briefSigns(signs: readonly Sign[]): string {
  const said = { status: 'a status that says so', end: 'a last day in the past', start: 'a first day in the future' };
  return someOf(signs.map(({ kind, rows }) => `${count(rows, 'row')} with ${said[kind]}`));
}

/** The most words that a sentence lists. */
const mostListed = 6;

function wordList(words: StatusSign['words']): string {
  const listed = words.slice(0, mostListed).map(({ word, rows }) => {
    return `${word === '' ? 'empty' : shownText(word)} ${figure(rows)}`;
  });
  const left = words.length - listed.length;
  return escapeText(listed.join(', ')) + (left > 0 ? ` and ${count(left, 'more word')}` : '');
}
