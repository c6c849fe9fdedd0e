import { emptyLedger } from '../../src/wiring/empty-ledger.ts';
import { openDataDirectory } from '../../src/ledger/directory/data-directory.ts';
import {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  openEmbedded,
} from '../../src/ledger/database/embedded/embedded.ts';
import { type PackedFolder, unpack, writeFolder } from '../../src/ledger/database/embedded/template.ts';
import { createLogger } from '../../src/process/logger.ts';
import { keepEmbeddedCode } from './embedded-code.ts';

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

/**
 * Makes a data directory in which nobody is known, with a ledger and a queue that are ready: from the template, as the product
 * does. For a database that other processes open.
 */
export async function writeEmptyDataDirectory(to: string): Promise<void> {
  const archive = await template();
  const umask = process.umask(0o077);
  const { ledger } = await openDataDirectory(to, { create: true });
  process.umask(umask);
  writeFolder((unpacked ??= unpack(archive)), ledger);
}

/** The same for a database that this process opens. */
export async function copyEmptyDataDirectory(to: string): Promise<void> {
  await keepEmbeddedCode();
  await writeEmptyDataDirectory(to);
}

/** Opens an embedded database in which the tables of an empty ledger are already there: in memory, unless a directory is given. */
export async function openEmptyEmbedded(
  dataDir = 'memory://',
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  await keepEmbeddedCode();
  return openEmbedded(dataDir, { ...options, template });
}
