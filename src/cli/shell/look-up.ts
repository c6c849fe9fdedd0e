// Looks up sources and runs for completion: quickly, silently, and without changing anything.
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { loadConfig } from '../../../config/load.ts';
import { type KnownNames, readKnownNames } from '../../ledger/directory/known-names.ts';
import { connectToOwner } from '../../ledger/directory/owner.ts';
import type { LookUp } from './suggest.ts';

/** The longest wait for PostgreSQL, or for the process that owns the data directory, ms: a shell waits for all of it. */
const withinMs = 700;
/** Nobody looks for more runs than these in a list. */
const mostRuns = 30;

/**
 * Sources of the config, and what the ledger knows: in PostgreSQL itself; of a data directory from the process that owns it,
 * or else from the names that the last one left. Empty where settings are wrong or nobody answers.
 */
export const lookUp: LookUp = async (configFile) => {
  try {
    const { sources, databaseUrl, dataDir } = loadConfig({ configFile, onlyLedger: true });
    const known = databaseUrl ? await fromPostgres(databaseUrl.reveal()) : await fromDirectory(dataDir);
    return {
      sources: Object.keys(sources).map((word) => ({ word, says: 'a source of the config' })),
      kept: known.kept.map((word) => ({ word, says: 'a source of the ledger' })),
      runs: known.runs.map(({ run, source, status }) => ({ word: run, says: `${source}, ${status}` })),
    };
  } catch {
    return { sources: [], kept: [], runs: [] };
  }
};

const nothing: KnownNames = { runs: [], kept: [] };

async function fromPostgres(url: string): Promise<KnownNames> {
  const { peekNames } = await import('../../ledger/database/peek-names.ts');
  return peekNames(url, { most: mostRuns, withinMs }).catch(() => nothing);
}

async function fromDirectory(dataDir: string): Promise<KnownNames> {
  const left = (await readKnownNames(dataDir)) ?? nothing;
  const entries = await readdir(dataDir).catch(() => []);
  const sockets = entries.filter((name) => /^owner-[0-9a-f]{16}\.sock$/.test(name));
  for (const socket of sockets) {
    const runs = await askOwner(join(dataDir, socket)).catch(() => undefined);
    if (runs) return { ...left, runs };
  }
  return left;
}

/** The newest runs, as the API on the owner's socket lists them. */
async function askOwner(path: string): Promise<KnownNames['runs']> {
  const socket = await connectToOwner(path);
  const { promise, resolve, reject } = Promise.withResolvers<KnownNames['runs']>();
  const asked = request(
    {
      path: `/api/v1/runs?limit=${mostRuns}`,
      createConnection: () => socket,
      headers: { host: 'localhost', connection: 'close' },
      signal: AbortSignal.timeout(withinMs),
    },
    (answer) => void json(answer).then((body) => resolve((body as { runs: KnownNames['runs'] }).runs), reject),
  );
  asked.on('error', reject).end();
  return promise.finally(() => socket.destroy());
}
