import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { inPageWords, terminalWord } from '../../src/page/press.ts';

const root = join(import.meta.dirname, '../..');
/** What is written for a terminal too, and the words themselves. */
const others = new Set(['press.ts', 'report.ts', 'report-file.ts']);
const views = globSync(['src/page/*.ts', 'src/server/page/*.ts'], { cwd: root }).filter(
  (name) => !others.has(name.split(/[/\\]/).at(-1) ?? ''),
);
const jargon = /\b(?:command line|config|cron|exit code|flags?|terminal|YAML)\b/i;

/** The texts of a program that hold a space: names, paths and classes do not, or hold nothing that is a word. */
function textsOf(program: string): string[] {
  const texts: string[] = [];
  new Visitor({
    Literal: ({ value }) => void (typeof value === 'string' && texts.push(value)),
    TemplateElement: ({ value }) => void texts.push(value.cooked ?? ''),
  }).visit(parseSync('view.ts', program).program);
  // What is filled in, and which of two forms stands there, is not looked at: src/page/words.ts.
  const filled = texts.map((text) => text.replaceAll(/\{\w+\}/g, 'x').replaceAll(/\[([^|\]]*)\|[^\]]*\]/g, '$1'));
  return filled.filter((text) => /[a-z] /i.test(text));
}

suite('the words of pages', () => {
  test('no view names a command, a flag, a setting or a file of settings', () => {
    assert.ok(views.length > 30);
    const faults = views.flatMap((name) =>
      textsOf(readFileSync(join(root, name), 'utf8')).flatMap((text) => {
        const [found] = terminalWord(text) ?? jargon.exec(text) ?? [];
        return found === undefined ? [] : [`${name}: “${found}” in: ${text.trim().slice(0, 80)}`];
      }),
    );
    assert.deepEqual(faults, []);
    for (const text of ['run `doctor`', 'set groups.column first', 'give --yes to it', 'in the config file'])
      assert.ok(terminalWord(text) || jargon.test(text), text);
  });

  test('what is said everywhere leaves out on a page what helps only at a terminal, and says whom to ask', () => {
    const ask = 'Ask whoever runs roster-sync.';
    for (const [said, shown] of [
      [
        'The limit is 20 (delivery.maxInvitations). It cannot be taken back.',
        'The limit is 20. It cannot be taken back.',
      ],
      ['This takes long: run `roster-sync doctor`', `This takes long. ${ask}`],
      ['It is on. If you do not want that, set forceSync: false.', `It is on. ${ask}`],
      ['Nothing was changed. Set service.baseUrl to https://b.example.', `Nothing was changed. ${ask}`],
      ['Its token has ended: set auth.oauth2.refreshToken', `Its token has ended. ${ask}`],
      [
        'hr: pgp.signedBy of its source says that it must be signed, and it is not. Ask its sender.',
        'hr: pgp.signedBy of its source says that it must be signed, and it is not. Ask its sender.',
      ],
      [
        'GnuPG is needed, and is not here. Install it (Debian: apt-get install gnupg), or decrypt the file first.',
        `GnuPG is needed, and is not here. ${ask}`,
      ],
      [
        'The disk is full. Free some space, or: Choose another place with ROSTER_SYNC_DATA_DIR.',
        `The disk is full. Free some space. ${ask}`,
      ],
      [
        'hr: paging.path is not in the answer. Run `roster-sync doctor`.',
        `hr: paging.path is not in the answer. ${ask}`,
      ],
      ['Set read.join of a source', 'Set read.join of a source'],
      [
        '"set --yes in read.join" and groups.csv of service.example',
        '"set --yes in read.join" and groups.csv of service.example',
      ],
      ['no column "Mail"\n  Columns found: "E-Mail"', 'no column "Mail"\n  Columns found: "E-Mail"'],
    ] as const)
      assert.equal(inPageWords(said), shown);
  });
});
