/**
 * Writes `src/data/letter-pairs/names.yaml`: how often which letter follows which in names of a language. The names are
 * those of Faker (first names, last names, cities; MIT licence), and the names of countries, languages and currencies in
 * Unicode CLDR as Node has them (Unicode licence v3). Names that the tests and `bench/encodings.ts` use are left out,
 * so that these measure people nobody has learnt from.
 *
 *   npm install --prefix /tmp/names @faker-js/faker@10.6.0
 *   node bench/letter-pairs.ts /tmp/names/node_modules/@faker-js/faker/dist/index.js
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fold } from '../src/roster/text/judging/read-word.ts';
import { nameLists } from '../test/support/names-by-language.ts';

/**
 * Languages of which one table is made: letters of their own besides a to z (of Latin ones), which count as not so rare
 * even where no name here has them, and the locales of Faker and of CLDR.
 */
const languages: Record<string, { own?: string; faker?: string[]; cldr: string[] }> = {
  de: { own: 'äöüß', faker: ['de', 'de_CH'], cldr: ['de'] },
  fr: { own: 'àâæçéèêëîïôœùûüÿ', faker: ['fr', 'fr_CH', 'fr_BE'], cldr: ['fr'] },
  es: { own: 'áéíñóúüçàèòï', faker: ['es', 'es_MX'], cldr: ['es', 'ca'] },
  pt: { own: 'áâãàçéêíóôõúü', faker: ['pt_PT', 'pt_BR'], cldr: ['pt'] },
  it: { own: 'àèéìòù', faker: ['it'], cldr: ['it'] },
  nl: { own: 'ëïéèöü', faker: ['nl', 'nl_BE', 'af_ZA'], cldr: ['nl'] },
  da: { own: 'æøåéöäáíúýð', faker: ['da', 'nb_NO'], cldr: ['da', 'nb', 'fo'] },
  sv: { own: 'åäöéü', faker: ['sv'], cldr: ['sv'] },
  fi: { own: 'äöåõüšž', faker: ['fi'], cldr: ['fi', 'et'] },
  is: { own: 'áðéíóúýþæö', cldr: ['is'] },
  pl: { own: 'ąćęłńóśźż', faker: ['pl'], cldr: ['pl'] },
  cs: { own: 'áčďéěíňóřšťúůýž', faker: ['cs_CZ'], cldr: ['cs'] },
  sk: { own: 'áäčďéíĺľňóôŕšťúýž', faker: ['sk'], cldr: ['sk'] },
  hu: { own: 'áéíóöőúüű', faker: ['hu'], cldr: ['hu'] },
  hr: { own: 'čćđšž', faker: ['hr', 'sl_SI', 'sr_RS_latin'], cldr: ['hr', 'sl', 'sr-Latn', 'bs'] },
  ro: { own: 'ăâîşţ', faker: ['ro', 'ro_MD'], cldr: ['ro'] },
  sq: { own: 'çë', cldr: ['sq'] },
  tr: { own: 'çğıöşüâîû', faker: ['tr'], cldr: ['tr'] },
  lt: { own: 'ąčęėįšųūž', cldr: ['lt'] },
  lv: { own: 'āčēģīķļņšūž', faker: ['lv'], cldr: ['lv'] },
  ru: { own: 'абвгдеёжзийклмнопрстуфхцчшщъыьэюя', faker: ['ru'], cldr: ['ru', 'be'] },
  uk: { own: 'абвгґдеєжзиіїйклмнопрстуфхцчшщьюя', faker: ['uk'], cldr: ['uk'] },
  bg: { own: 'абвгдежзийклмнопрстуфхцчшщъьюя', cldr: ['bg'] },
  sr: { own: 'абвгдђежзијклљмнњопрстћуфхцчџшѓѕќ', faker: ['mk'], cldr: ['sr-Cyrl', 'mk'] },
  el: { own: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ', faker: ['el'], cldr: ['el'] },
  he: { faker: ['he'], cldr: ['he'] },
  ar: { faker: ['ar', 'fa'], cldr: ['ar', 'fa', 'ur'] },
  th: { faker: ['th'], cldr: ['th'] },
};

/** Counts of a name in Faker weigh as much as so many of CLDR: names of people are what is to be recognised. */
const weightOfNames = 4;
/** Another letter that is rarer than this is none of the language: foreign names have them too. */
const leastShare = 0.0003;
/** The least share of a letter of the language. */
const shareOfOwn = 0.0015;
const letters = /[\p{L}\p{M}]+/gu;
const script: Record<string, RegExp> = {
  ...Object.fromEntries(['ru', 'uk', 'bg', 'sr'].map((one) => [one, /^\p{Script=Cyrillic}+$/u])),
  el: /^\p{Script=Greek}+$/u,
  he: /^[\p{Script=Hebrew}\p{M}]+$/u,
  ar: /^[\p{Script=Arabic}\p{M}]+$/u,
  th: /^[\p{Script=Thai}\p{M}]+$/u,
};

type Definition = Record<'person' | 'location', Record<string, unknown> | undefined>;

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('give the path of faker/dist/index.js');
const { allLocales } = (await import(pathToFileURL(resolve(path)).href)) as { allLocales: Record<string, Definition> };
const used = new Set(Object.values(nameLists).flatMap((list) => wordsOf(Object.values(list).flat().join(' '))));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function wordsOf(text: string): string[] {
  return [...text.matchAll(letters)].map(([word]) => fold(word));
}

const upper = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const lower = upper.map((letter) => letter.toLowerCase());
const codes = {
  region: upper.flatMap((a) => upper.map((b) => a + b)),
  language: lower.flatMap((a) => lower.flatMap((b) => [a + b, ...lower.map((c) => a + b + c)])),
  currency: upper.flatMap((a) => upper.flatMap((b) => upper.map((c) => a + b + c))),
} as const;

function cldrNames(locale: string): string[] {
  return Object.entries(codes).flatMap(([type, all]) => {
    const names = new Intl.DisplayNames(locale, { type: type as 'region', fallback: 'none' });
    return all.flatMap((code) => names.of(code) ?? []);
  });
}

const lines: string[] = [];
for (const [language, { own = '', faker = [], cldr }] of Object.entries(languages)) {
  const people = faker.flatMap((locale) => {
    const { person, location } = allLocales[locale] as Definition;
    return textsIn([person?.['first_name'], person?.['last_name'], location?.['city_name']]);
  });
  const weights = new Map<string, number>();
  const add = (texts: string[], weight: number): void => {
    for (const word of new Set(texts.flatMap(wordsOf))) {
      if (used.has(word) || word.length < 2 || !(script[language] ?? /^\p{Script=Latin}+$/u).test(word)) continue;
      weights.set(word, (weights.get(word) ?? 0) + weight);
    }
  };
  add(people, weightOfNames);
  add(cldr.flatMap(cldrNames), 1);
  const [letters = '', square = ''] = tableOf(weights, own);
  lines.push(`${language}:\n  letters: '${letters}'\n  square: '${square}'`);
}

/** The letters, and of each pair how surprising its second letter is after its first, in half nats, as a digit of base 36. */
function tableOf(weights: ReadonlyMap<string, number>, own: string): string[] {
  const single = new Map<string, number>();
  let total = 0;
  for (const [word, weight] of weights) {
    for (const letter of `${word} `) {
      single.set(letter, (single.get(letter) ?? 0) + weight);
      total += weight;
    }
  }
  for (const letter of own) single.set(letter, Math.max(single.get(letter) ?? 0, shareOfOwn * total));
  const alphabet = [...single]
    .filter(([, count]) => count / total >= leastShare)
    .map(([letter]) => letter)
    .toSorted();
  const pairs = new Map<string, number>();
  for (const [word, weight] of weights) {
    const around = ` ${word} `;
    for (let at = 1; at < around.length; at++) {
      const pair = around.slice(at - 1, at + 1);
      pairs.set(pair, (pairs.get(pair) ?? 0) + weight);
    }
  }
  const rows = alphabet.map((first) =>
    alphabet
      .map((second) => {
        const after = (pairs.get(first + second) ?? 0) / (single.get(first) ?? 1);
        const alone = (single.get(second) ?? 0) / total;
        const share = 0.85 * after + 0.145 * alone + 0.005 / alphabet.length;
        return Math.min(35, Math.round(-2 * Math.log(share))).toString(36);
      })
      .join(''),
  );
  return [alphabet.join(''), rows.join('')];
}

const text = `# yaml-language-server: $schema=../letter-pairs.schema.json
# Written by \`bench/letter-pairs.ts\` from names of Faker (Copyright (c) 2022-2025 Faker, MIT licence) and of Unicode CLDR
# (Copyright (c) Unicode, Inc., Unicode licence v3); both let their data be given on.
${lines.join('\n')}
`;
await writeFile(new URL('../src/data/letter-pairs/names.yaml', import.meta.url), text);
process.stdout.write(`${text.length} characters, ${lines.length} languages\n`);
