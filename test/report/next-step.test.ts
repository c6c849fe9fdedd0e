import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type NextStep, InputError, briefly, withNext } from '../../src/core/errors.ts';
import { forgottenReason } from '../../src/core/person/forgotten.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { numberMistake } from '../../src/page/decide.ts';
import { home, type SourceView } from '../../src/page/home.ts';
import type { RunReport } from '../../src/report/run/run-report.ts';
import { placeOf } from '../../src/roster/configured-source.ts';
import { emptyReport, exampleReport } from './examples.ts';
import { whyRejected, withButtons } from '../../src/page/press.ts';
import { nameAtTerminal } from '../../src/report/terminal/commands.ts';
import { nameRequest } from '../../src/server/problems.ts';

suite('a next step', () => {
  const list = { act: 'runs.list' } as const;
  const onRun = (act: 'get' | 'rejects' | 'resume' | 'cancel') => ({ act: `runs.${act}`, run: 'a1' }) as const;
  const allow = { act: 'people.allow' } as const;

  test('is a command at the terminal', () => {
    const said = (...steps: NextStep[]): string => withNext('There is no run a1.', steps, nameAtTerminal);
    assert.equal(said(list), 'There is no run a1. `roster-sync runs` lists them.');
    assert.equal(
      said(onRun('resume'), onRun('cancel')),
      'There is no run a1. `roster-sync resume a1` continues it, `roster-sync cancel a1` ends it.',
    );
    assert.match(
      said({ act: 'people.resolveMoves', old: "o'ek@a.example", new: 'ek@a.example' }),
      /resolve 'o'\\''ek@a/,
    );
    assert.match(
      said({ setting: 'read.encoding', value: 'windows-1250' }),
      /\. --encoding windows-1250 says which it is\.$/,
    );
    assert.match(said({ act: 'runs.rejects' }), /\. `--verbose` names them\.$/);
    assert.equal(said(), 'There is no run a1.');
  });

  test('is a button on its page, and says where on another', () => {
    const press = (step: NextStep, run: string): string => withButtons('It waits', [step], run);
    assert.equal(press(onRun('resume'), 'a1'), 'It waits. “Resume” continues it.');
    assert.equal(press(onRun('resume'), 'b2'), 'It waits. “Resume” on the page of run a1 continues it.');
    assert.equal(press(onRun('rejects'), 'a1'), 'It waits. “Download rejects” names them.');
    assert.equal(press(onRun('get'), 'a1'), 'It waits. The report shows it.');
    assert.equal(press(list, ''), 'It waits. The page “Runs” lists them.');
    assert.match(press(allow, ''), /“Let them be sent again” on the page of that person allows it\.$/);
    assert.equal(press({ act: 'upkeep.doctor' }, ''), 'It waits', 'what only a terminal can do is not said');
    assert.match(
      whyRejected(forgottenReason),
      /is not sent again\. “Let them be sent again” on the page of that person/,
    );
    assert.equal(whyRejected('the row is cut'), 'the row is cut');
  });

  test('stays with what is kept of a failed run where it is a setting, without words of the roster', () => {
    const read = { setting: 'read.encoding', value: 'windows-1252' } as const;
    const error = new InputError('"Jörg" is in two encodings.', { withoutWords: 'It is in two.', next: [list, read] });
    assert.equal(briefly(error), 'It is in two. `read.encoding: windows-1252` says which it is.');
  });

  test('is a request of the API, where one does it', () => {
    const ask = (step: NextStep): string => withNext('It waits.', [step], nameRequest);
    assert.equal(ask(onRun('resume')), 'It waits. `POST /api/v1/runs/a1/resume` continues it.');
    assert.equal(ask(onRun('rejects')), 'It waits. `GET /api/v1/runs/a1/rejects` names them.');
    assert.equal(ask(list), 'It waits. `GET /api/v1/runs` lists them.');
    assert.equal(ask(allow), 'It waits. `POST /api/v1/person/allow` allows it.');
    assert.equal(ask({ act: 'upkeep.doctor' }), 'It waits.');
    assert.equal(ask({ setting: 'read.encoding' }), 'It waits.');
  });
});

suite('Home', () => {
  const now = '2026-01-06T00:00:00.000Z';
  const nothing = { succeeded: 0, partial: 0, failed: 0, unknown: 0, superseded: 0, cancelled: 0 };
  const shown = (...runs: RunReport[]): string => {
    const sources: SourceView[] = [
      { name: 'entra', runs: [], isPushed: true },
      { name: 'hook', runs: [], webhook: {} },
      { name: 'file', runs: [] },
      { name: 'new-starters', runs },
    ];
    return String(home({ runs, sources, leftBehind: 0, unseen: { kinds: 0, run: null }, now }).body).replaceAll(
      /\s+/g,
      ' ',
    );
  };
  const invited = (report: RunReport): string | undefined =>
    /(\d+)<\/b>\s*(?:<[^>]+>)?\s*invitations, at most/.exec(shown(report))?.[1];

  test('counts only people who were called as perhaps invited', () => {
    assert.equal(invited(exampleReport()), '200');
    assert.equal(invited(exampleReport({ status: 'held', pending: 200, outcome: nothing })), '0');
    assert.equal(
      invited(exampleReport({ status: 'cancelled', outcome: { ...nothing, failed: 3, cancelled: 197 } })),
      '3',
    );
    assert.equal(invited(exampleReport({ baseline: true })), '0');
  });

  test('a roster that could not be read is one line, and nothing was sent', () => {
    const page = shown(emptyReport({ status: 'failed', statusReason: 'no column "Mail"\n  Columns found: "E-Mail"' }));
    assert.match(page, /new-starters: nothing was sent<.*no column &#34;Mail&#34;<\/p>/);
  });

  test('a source without a schedule says what it waits for', () => {
    const page = shown(exampleReport());
    assert.match(
      page,
      /after people are pushed \(SCIM\).*after an event, or when you import a file.*>when you import a file/,
    );
    assert.equal(placeOf({ scim: {} } as SourceConfig), 'SCIM');
  });
});

test('a number confirms as people write it, with any sign between thousands', () => {
  for (const typed of ['1200', ' 1 200', '1,200', '1.200', "1'200", '1’200'])
    assert.equal(numberMistake(typed, 1200), undefined);
  assert.equal(numberMistake('120', 1200), 'It is 1200, not 120.');
  assert.equal(numberMistake('', 1200), 'Type 1200 to confirm.');
});
