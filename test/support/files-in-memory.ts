import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** Linux keeps what is written here in memory. */
const memory = '/dev/shm';
const prefix = 'roster-sync-';
/** The tests that run at a time hold at most some 2 GB of files. */
const enough = 6 * 1024 ** 3;

/**
 * Has temporary files of this process and of those it starts lie in memory, where there is enough of it: each embedded ledger is 600
 * files, and on a disk the tests wait for these half of their time. What a killed run left there is removed.
 * @returns what removes them
 */
export function useMemoryForFiles(): () => void {
  if (process.env['TMPDIR'] !== undefined || !hasRoom()) return () => {};
  for (const name of readdirSync(memory)) {
    const pid = Number(new RegExp(String.raw`^${prefix}(\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) removeLeft(join(memory, name));
  }
  const folder = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  // PostgreSQL runs as another user than root.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  return () => {
    delete process.env['TMPDIR'];
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return Math.min(bavail * bsize, freemem()) > enough;
  } catch {
    return false;
  }
}

/** A process that outlived its run may still write there: then the next run removes it. */
function removeLeft(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Taken up again at the next start.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
