import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkWrittenFiles } from '../../src/cli/frame/written-files.ts';

const folder = import.meta.dirname;
const sources = { staff: { file: join(folder, 'rosters/staff-*.csv') }, drop: { file: join(folder, 'drop') } };

test('no report or rejects file goes where a source would take it for its newest roster', () => {
  assert.throws(
    () => checkWrittenFiles({ rejects: join(folder, 'rosters/staff-rejects.csv') }, { sources }),
    /staff-rejects\.csv would be read as a roster: the source staff takes .*staff-\*\.csv\. Write it to another folder/,
  );
  const report = join(folder, 'drop', 'report.csv');
  assert.throws(
    () => checkWrittenFiles({ report }, { sources }),
    /the source drop takes|no such folder|does not exist/,
  );
});

test('elsewhere they are fine', () => {
  checkWrittenFiles({ rejects: join(folder, 'rejects.csv'), report: join(folder, 'report.csv') }, { sources });
  checkWrittenFiles({}, { sources });
});
