import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgottenReason } from '../../src/core/person/forgotten.ts';
import { whatToAsk } from '../../src/server/api/what-to-ask.ts';

test('beside a command the API names the request that does the same', () => {
  const said = {
    '`roster-sync resume a1` continues it.':
      '`roster-sync resume a1` (here: `POST /api/v1/runs/a1/resume`) continues it.',
    'Look again: roster-sync show a1': 'Look again: `roster-sync show a1` (here: `GET /api/v1/runs/a1`)',
    '`roster-sync show a1 --rejects rejects.csv` writes them.':
      '`roster-sync show a1 --rejects rejects.csv` (here: `GET /api/v1/runs/a1/rejects`) writes them.',
    [forgottenReason]:
      'this person was erased and is not sent again; `roster-sync forget ADDRESS --undo` (here: `POST /api/v1/person/allow`) allows it',
    'Run `roster-sync doctor`.': 'Run `roster-sync doctor`.',
  };
  for (const [sentence, expected] of Object.entries(said)) assert.equal(whatToAsk(sentence), expected);
});
