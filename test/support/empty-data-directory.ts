import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import { openContext } from '../../src/context.ts';
import { createLogger } from '../../src/logger.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/roster-sync-test');
/** One that was made so long ago is most likely of an older checkout, ms. */
const oldAfterMs = 24 * 60 * 60 * 1000;

/**
 * Copies to a place a data directory in which nobody is known, with a ledger and a queue that are ready. Making one takes
 * seconds of processor time, so it is made once for all test files, for as long as nothing changes that it is made of.
 */
export async function copyEmptyDataDirectory(to: string): Promise<void> {
  const made = join(cache, digest());
  if (!existsSync(made)) await make(made);
  cpSync(made, to, { recursive: true });
}

let known: string | undefined;

function digest(): string {
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(process.version);
  for (const file of globSync(['package-lock.json', 'src/{ledger,queue}/**/*.ts'], { cwd: root }).toSorted()) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return (known = hash.digest('hex').slice(0, 16));
}

async function make(made: string): Promise<void> {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  removeOld();
  const beside = mkdtempSync(join(cache, 'making-'));
  const dataDir = join(beside, 'data');
  const environment = { ROSTER_SYNC_BASE_URL: 'http://127.0.0.1:9', ROSTER_SYNC_TOKEN: 'bm9ib2R5' };
  const config = loadConfig({ environment: { ...environment, ROSTER_SYNC_DATA_DIR: dataDir }, cwd: dataDir });
  const umask = process.umask();
  const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'test', create: true });
  await context.openDelivery(config.delivery.rate);
  await context.close();
  process.umask(umask);
  try {
    renameSync(dataDir, made);
  } catch (error) {
    // Another test file has made it meanwhile.
    if (!existsSync(made)) throw error;
  }
  rmSync(beside, { recursive: true, force: true });
}

function removeOld(): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > oldAfterMs) rmSync(path, { recursive: true, force: true });
  }
}
