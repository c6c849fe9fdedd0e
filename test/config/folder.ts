import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { loadConfig, type Config, type LoadOptions } from '../../config/load.ts';

/** A folder of the test's own, removed at its end, with a config file in it when `yaml` is given. */
export function makeFolder(t: TestContext, yaml?: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-config-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  if (yaml !== undefined) writeFileSync(join(folder, 'roster-sync.yaml'), yaml);
  return folder;
}

/** Loads a config file of the given text; the environment is empty unless given. */
export function load(t: TestContext, yaml: string | Uint8Array | undefined, options: LoadOptions = {}): Config {
  return loadConfig({ environment: {}, cwd: makeFolder(t, yaml), ...options });
}

/** The message with which loading fails; the test fails when it does not. */
export function failure(t: TestContext, yaml: string | Uint8Array | undefined, options: LoadOptions = {}): string {
  try {
    load(t, yaml, options);
  } catch (error) {
    if (error instanceof Error && 'exitCode' in error && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error('The config was accepted.');
}
