// Finds what people read in a template of a page, and puts it into another language.

/** Where a part is written into a template: its number between two signs that no text has. */
const hole = /\uE000(\d+)\uE001/;
/** Elements that stand within a sentence; all others end it. */
const inline = new Set([
  ...['a', 'abbr', 'b', 'br', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'noscript', 'small', 'span', 'strong', 'time'],
]);
/** Attributes that people read or hear. */
const spoken = /\b(aria-label|placeholder|title|alt|data-busy)="([^"]*)"/g;
/** A part of a tag, such as ` checked` or `name="..."`: nothing of it is read. */
const ofTag = /^\s*[a-z-]+="|^\s+[a-z-]+\s*$/;
/** What needs no other language. */
const names = /roster-sync|\{\d+\}|<\/?\w+>/g;

/** The texts of a template in the words that `say` has for each message, and which part follows each of them. */
export interface Translated {
  texts: readonly string[];
  order: readonly number[];
}

type Say = (message: string) => string;

/**
 * `say` gets each message in English, its blanks made one: `{0}` stands for a part of the template, `<b>` for a tag with all
 * that it has; it may change their order.
 */
export function translate(texts: readonly string[], say: Say): Translated {
  const whole = texts.reduce((before, text, at) => `${before}\uE000${at - 1}\uE001${text}`);
  const pieces = (ofTag.test(whole) ? whole : bySentences(whole, say)).split(hole);
  return {
    texts: pieces.filter((_, at) => at % 2 === 0),
    order: pieces.filter((_, at) => at % 2 === 1).map(Number),
  };
}

/** The tags, and what is between them. */
function tokensOf(whole: string): string[] {
  return whole.split('<').flatMap((part, at) => {
    const end = at === 0 ? 0 : part.indexOf('>') + 1;
    return at === 0 ? [part] : [`<${part.slice(0, end)}`, part.slice(end)];
  });
}

/** The name of a tag, with a `/` before it of one that ends something; undefined of a text. */
const tagOf = (token = ''): string | undefined => /^<(\/?[\w!-]+)/.exec(token)?.[1];

function bySentences(whole: string, say: Say): string {
  const done: string[] = [];
  let sentence: string[] = [];
  for (const token of tokensOf(whole)) {
    const tag = tagOf(token);
    const heard =
      tag === undefined
        ? token
        : token.replaceAll(spoken, (_, key: string, text: string) => `${key}="${inOther([text], say)}"`);
    if (tag === undefined || inline.has(tag.replace('/', ''))) sentence.push(heard);
    else {
      done.push(inOther(sentence, say), heard);
      sentence = [];
    }
  }
  return [...done, inOther(sentence, say)].join('');
}

function inOther(tokens: readonly string[], say: Say): string {
  const isThere = (token: string): boolean => token.trim() !== '';
  const [first, last] = [tokens.findIndex(isThere), tokens.findLastIndex(isThere)];
  const outer = tagOf(tokens[first]);
  const within = tokens.slice(first + 1, last);
  // A tag that holds all of a sentence is no part of it.
  if (outer !== undefined && tagOf(tokens[last]) === `/${outer}` && !within.some((token) => tagOf(token) === outer))
    return [...tokens.slice(0, first + 1), inOther(within, say), ...tokens.slice(last)].join('');
  const holes: string[] = [];
  const tags: string[] = [];
  const text = tokens.join('');
  const message = tokens
    .map((token) => {
      const tag = tagOf(token);
      if (tag !== undefined && !tag.startsWith('/')) tags.push(token);
      if (tag !== undefined) return `<${tag}>`;
      return token.replaceAll(/\uE000\d+\uE001|\s+/g, (found) =>
        hole.test(found) ? `{${holes.push(found) - 1}}` : ' ',
      );
    })
    .join('')
    .trim();
  const said = /\p{L}/u.test(message.replaceAll(names, '')) ? say(message) : message;
  if (said === message) return text;
  const other = said.replaceAll(/\{(\d+)\}|<(\w+)>/g, (_, at: string | undefined, name: string) => {
    if (at !== undefined) return holes[Number(at)] ?? '';
    const [tag = ''] = tags.splice(
      tags.findIndex((each) => tagOf(each) === name),
      1,
    );
    return tag;
  });
  return text.replace(text.trim(), () => other);
}
