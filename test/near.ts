import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Nearest } from './mutation/nearest.ts';

// Runs the tests that a change needs, of files or folders: npm run test:near -- src/core/guards
// With --list, only names them.
const { values, positionals } = parseArgs({ options: { list: { type: 'boolean' } }, allowPositionals: true });
const root = join(import.meta.dirname, '..');
const nearest = new Nearest(root);
const tests = [...new Set(positionals.flatMap((path) => nearest.near(path.replaceAll('\\', '/').replace(/\/$/, ''))))];
if (tests.length === 0) {
  process.stderr.write('Name files or folders of src, jobs, config or test that tests import: src/core/guards.\n');
  process.exitCode = 2;
} else if (values.list) process.stdout.write(`${tests.join('\n')}\n`);
else {
  const flags = ['--test', '--test-global-setup=test/support/global-setup.ts', '--test-concurrency=3'];
  const { status } = spawnSync(process.execPath, [...flags, '--test-timeout=300000', ...tests], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
