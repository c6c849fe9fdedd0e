import { emptyLedger } from '../../src/wiring/empty-ledger.ts';
import { openDataDirectory } from '../../src/ledger/directory/data-directory.ts';
import {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  openEmbedded,
} from '../../src/ledger/database/embedded/embedded.ts';
import { type PackedFolder, unpack, writeFolder } from '../../src/ledger/database/template/archive.ts';
import { createLogger } from '../../src/process/logger.ts';

let kept: Promise<Buffer> | undefined;
let unpacked: PackedFolder | undefined;

/** Read once in each process. */
function template(): Promise<Buffer> {
  return (kept ??= readTemplate());
}

async function readTemplate(): Promise<Buffer> {
  const archive = await emptyLedger(createLogger({ quiet: true }));
  if (!archive) throw new Error('no template of an empty ledger can be made on this machine');
  return archive;
}

/** Makes a data directory in which nobody is known, with a ledger and a queue that are ready: of the template, as the product does. */
export async function copyEmptyDataDirectory(to: string): Promise<void> {
  const archive = await template();
  const umask = process.umask(0o077);
  const { ledger } = await openDataDirectory(to, { create: true });
  process.umask(umask);
  writeFolder((unpacked ??= unpack(archive)), ledger);
}

/** Opens an embedded database in which the tables of an empty ledger are already there: in memory, unless a directory is given. */
export function openEmptyEmbedded(dataDir = 'memory://', options: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  return openEmbedded(dataDir, { ...options, template });
}
