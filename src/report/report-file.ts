import { randomUUID } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { InputError, StorageError } from '../core/errors.ts';
import { escapeText } from '../core/escape.ts';
import { reportCsv, reportJson } from './report-formats.ts';
import type { ReportRow } from './report-row.ts';

const formats: Record<string, (rows: AsyncIterable<ReportRow>) => AsyncIterable<string>> = {
  '.csv': reportCsv,
  '.json': reportJson,
};

/** Characters gathered before they are written. */
const blockSize = 64 * 1024;

function formatOf(path: string) {
  const format = formats[extname(path).toLowerCase()];
  if (format) return format;
  const known = Object.keys(formats).join(', ');
  throw new InputError(`--report ${escapeText(path)}: the end of its name must say the format, one of ${known}`);
}

/**
 * Throws an InputError unless the name ends in a format that is known and its folder can be written to: to be asked
 * before a run begins, not when it is over.
 */
export function checkReportPath(path: string): void {
  formatOf(path);
  try {
    accessSync(dirname(path), constants.W_OK);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  } catch (error) {
    throw explained(path, error);
  }
}

/**
 * Writes a report file (mode 0600) from rows as they come, beside its place first, then renamed: it is there
 * whole or not at all. Returns once it is on the disk.
 * @throws InputError when the name, its folder or its rights are wrong; StorageError when the disk fails
 */
export async function writeReport(path: string, rows: AsyncIterable<ReportRow>): Promise<void> {
  const format = formatOf(path);
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}`);
  try {
    await using file = await open(beside, 'wx', 0o600);
    for await (const block of inBlocks(format(rows))) await file.writeFile(block);
    await file.sync();
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw explained(path, error);
  }
}

async function* inBlocks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let block = '';
  for await (const piece of pieces) {
    block += piece;
    if (block.length < blockSize) continue;
    yield block;
    block = '';
  }
  yield block;
}

const mistakes: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written here',
  EPERM: 'it may not be written here',
  EROFS: 'it may not be written here',
};

const failures: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk does not answer',
};

function explained(path: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const name = `the report ${escapeText(path)} cannot be written`;
  if (mistakes[code]) return new InputError(`${name}: ${mistakes[code]}; name another place with --report`, { cause });
  if (failures[code]) return new StorageError(`${name}: ${failures[code]}`, { cause });
  return cause;
}
