import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readFiles } from '../../src/data/data.ts';
import { translate } from '../../src/page/template.ts';
import { saidBelow, told } from '../../src/page/told.ts';
import { count, figure, html, inLanguage, t, wishedLanguage } from '../../src/page/words.ts';
import { messagesOf, saidOnPages } from './page-messages.ts';

/** What no page shows: names of files, of what is kept in the audit, of classes; what only the log has. */
const unseen = [
  ...['the upload', 'confirmed on the page of …', 'The ledger does not answer.', 'no ID token came back'],
  ...['old uploads could not be removed', 'an upload could not be planned', 'Report', 'Plan', 'Sending them'],
  ...['download left behind', 'download people', 'sign in to the pages', 'sign out of the pages', 'choose a password'],
  ...['check backup, tables and keys', 'look at who has not answered', 'download who has not answered'],
  ...['You are not signed in, or were signed out after 8 hours.', 'fullname:First Last', 'fullname:Last First'],
  ...['columns-table groups-table', 'option apart', 'columns home', 'everybody rejects', 'late quiet', 'n late quiet'],
  ...['quiet late', '<section class="people">……'],
];
const catalogues = Object.entries(readFiles<Record<string, string>>('page-languages'));
const pages = saidOnPages();
const onPages = new Set(pages.flatMap(({ messages }) => messages));

/** The parts that a translation must have too: what is filled in, tags, and whether there is a number. */
function partsOf(message: string): string[] {
  return (message.match(/\{\w+\}|<\/?\w+>/g) ?? []).toSorted();
}

suite('the languages of the pages', () => {
  test('no text of a page is outside of the messages', () => {
    assert.ok(onPages.size > 900);
    const faults = pages.flatMap(({ faults }) => faults);
    assert.deepEqual(
      faults.filter((fault) => !unseen.some((text) => fault.endsWith(`“${text}”`) || fault.endsWith(`\`${text}\``))),
      [],
      'say it with t, or mark it with words (src/page/words.ts)',
    );
    assert.equal(messagesOf('src/page/words.ts').faults.length, 0);
  });

  test('there are German, French, Spanish and Danish', () => {
    assert.deepEqual(
      catalogues.map(([language]) => language),
      ['da', 'de', 'es', 'fr'],
    );
    const [first = [], ...others] = catalogues.map(([, messages]) => Object.keys(messages).toSorted());
    for (const keys of others) assert.deepEqual(keys, first, 'what one of them says, all say');
  });

  for (const [language, messages] of catalogues) {
    test(`${language} has every message, with the same parts, and no other`, () => {
      const below = new Set(saidBelow());
      assert.deepEqual(
        [...onPages].filter((message) => messages[message] === undefined),
        [],
        'not translated',
      );
      assert.deepEqual(
        Object.keys(messages).filter((message) => !onPages.has(message) && !below.has(message)),
        [],
        'said nowhere',
      );
      const wrong = Object.entries(messages).filter(([english, other]) => {
        const isTemplate = /\{\d\}|<\w/.test(english);
        const [mine, theirs] = [partsOf(other), partsOf(english)];
        const same =
          mine.join() === theirs.join() || (other.includes('|') && new Set(mine).size === new Set(theirs).size);
        return (
          !same ||
          /[&"]/.test(isTemplate ? other : '') ||
          /\[(?!type=)[^\]|]*\]/.test(other.replaceAll(/\[[^[\]]*\|[^[\]]*\]/g, ''))
        );
      });
      assert.deepEqual(wrong, []);
    });
  }

  test('a template is said in the order of the language, its parts and tags in their places', () => {
    const texts = [
      '<p class="a">',
      ' of <b>',
      '</b> were <a href="/',
      '">sent</a>.</p><i aria-label="Who: ',
      '">',
      '</i>',
    ];
    const german: Record<string, string> = {
      '{0} of <b>{1}</b> were <a>sent</a>.': 'Von <b>{1}</b> <a>gesendet</a>: {0}.',
      'Who: {0}': 'Wer: {0}',
    };
    const { texts: said, order } = translate(texts, (message) => german[message] ?? message);
    assert.equal(
      said.reduce((before, text, at) => `${before}$${order[at - 1]}${text}`),
      '<p class="a">Von <b>$1</b> <a href="/$2">gesendet</a>: $0.</p><i aria-label="Wer: $3">$4</i>',
    );
    assert.deepEqual(
      translate([' checked'], () => 'no message'),
      { texts: [' checked'], order: [] },
    );
  });

  test('numbers, plurals and fallback are those of the language of the page', () => {
    const of = (language: string, act: () => unknown): unknown => inLanguage(language, act);
    assert.equal(
      of('en', () => `${figure(1204)} ${count(1, 'row')} ${count(2, 'row')}`),
      '1,204 1 row 2 rows',
    );
    assert.equal(
      of('de', () => figure(1204)),
      '1.204',
    );
    assert.equal(
      of('de', () => t('[1 person|# people]', 1200)),
      '1.200 Personen',
    );
    assert.match(String(of('fr', () => t('[1 person|# people]', 0))), /^0 personne$/);
    assert.equal(
      of('de', () => t('Not said anywhere: {who}', 1, { who: 'Ann' })),
      'Not said anywhere: Ann',
    );
    assert.equal(
      String(of('de', () => html`<b>${'<b>'}</b>, run <b>${figure(1204)}</b>`)),
      '<b>&#60;b&#62;</b>, run <b>1.204</b>',
    );
    assert.equal(String(of('de', () => html`<h1>Runs</h1>`)), '<h1>Läufe</h1>');
    assert.equal(String(html`<h1>Runs</h1>`), '<h1>Runs</h1>');
  });

  test('what was said below is found again, with what was filled in; data stays as it is', () => {
    const said = 'There is no second sheet. Marketing';
    inLanguage('de', () => {
      assert.equal(told(said), said);
      assert.notEqual(
        told('The sheet "Held" is hidden and was not read.'),
        'The sheet "Held" is hidden and was not read.',
      );
      assert.match(told('The sheet "Held" is hidden and was not read.'), /"Held"/);
    });
    assert.equal(told('The sheet "Held" is hidden and was not read.'), 'The sheet "Held" is hidden and was not read.');
  });

  test('the browser’s wish decides; English where it wishes for none that there is', () => {
    for (const [wish, language] of [
      ['de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['nl,fr;q=0.5,es;q=0.7', 'es'],
      ['en-US,en;q=0.9,de;q=0.8', 'en'],
      ['de;q=0, nl', 'en'],
      ['de; q=0.5, fr;q=0.7', 'fr'],
      ['*', 'en'],
      ['', 'en'],
    ] as const)
      assert.equal(wishedLanguage(wish), language, wish);
  });
});
