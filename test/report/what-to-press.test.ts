import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { forgottenReason } from '../../src/core/person/forgotten.ts';
import { reasonToStop } from '../../src/core/run/canary.ts';
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

  test('somebody who was erased is let in on their page', () => {
    assert.equal(
      whatToPress(forgottenReason, ''),
      'this person was erased and is not sent again; “Let them be sent again” on the page of that person allows it',
    );
  });
});
