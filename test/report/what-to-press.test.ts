import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forgottenReason } from '../../src/core/person/forgotten.ts';
import { reasonToStop } from '../../src/core/run/canary.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { numberMistake } from '../../src/page/decide.ts';
import { home, type SourceView } from '../../src/page/home.ts';
import type { RunReport } from '../../src/report/run/run-report.ts';
import { placeOf } from '../../src/roster/configured-source.ts';
import { emptyReport, exampleReport } from './examples.ts';
import { whatToPress } from '../../src/page/press.ts';

suite('what a page says instead of a command', () => {
  test('the reason why a canary release was paused names the button; the command line keeps the command', () => {
    const reason = reasonToStop({ runId: '7c41e0b2', stage: 0, unseen: [], ended: 10, failed: 9 })?.reason ?? '';
    assert.match(reason, /roster-sync resume 7c41e0b2 continues/);
    assert.equal(
      whatToPress(reason, '7c41e0b2'),
      'after the first 10 calls 9 were not delivered. “Resume” continues, and treats it as seen',
    );
  });

  test('of another run it says on which page; rejects are downloaded', () => {
    assert.equal(
      whatToPress('`roster-sync resume a1` continues it, `roster-sync cancel a1` ends it.', 'b2'),
      '“Resume” on the page of run a1 continues it, “Cancel the rest” on the page of run a1 ends it.',
    );
    assert.equal(
      whatToPress('`roster-sync show a1 --rejects rejects.csv` writes them to a file.', 'a1'),
      '“Download rejects” writes them to a file.',
    );
    assert.equal(whatToPress('Look again: roster-sync show a1', 'a1'), 'Look again: this page');
    assert.equal(
      whatToPress('There is no run a1; `roster-sync runs` lists them.', ''),
      'There is no run a1; the page “Runs” lists them.',
    );
  });

  test('who has left is left out in the settings, not by a flag', () => {
    assert.equal(
      whatToPress(
        '--only-active leaves them out, --everybody sends them; in the settings of a source, `only` or `except` says who ' +
          'counts, or `everybody: true`.',
        '',
      ),
      'To leave them out, set “only” or “except” in the settings of the source and have it read again.',
    );
  });

  test('somebody who was erased is let in on their page', () => {
    assert.equal(
      whatToPress(forgottenReason, ''),
      'this person was erased and is not sent again; “Let them be sent again” on the page of that person allows it',
    );
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
    return String(home({ runs, sources, leftBehind: 0, unseen: 0, now }).body).replaceAll(/\s+/g, ' ');
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
      /after people are pushed \(SCIM\).*after an event, or when you bring a file.*>when you bring a file/,
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
