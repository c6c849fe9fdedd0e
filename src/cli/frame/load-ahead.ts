// Starts loading the embedded database while the command itself still loads.
import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../../config/load.ts';
import { loadEngine } from '../../ledger/database/embedded/embedded-engine.ts';

/** The commands that open a ledger as soon as they begin. */
const opening = new Set(
  [
    'import',
    'sync',
    'plan',
    'resolve',
    'runs',
    'schedules',
    'show',
    'person',
    'resume',
    'retry',
    'pause',
    'approve',
  ].concat([
    'cancel',
    'completion',
    'serve',
    'forget',
    'prune',
    'doctor',
    'create',
    'list',
    'revoke',
    'export',
    'import-ledger',
  ]),
);

/**
 * Loads the embedded database in its thread while the command loads everything else, which takes as long. Does nothing
 * if the settings are wrong: the command reports that.
 */
export function loadAhead(command: Command): void {
  const isShellScript = command.name() === 'completion' && command.args.length > 0;
  if (!opening.has(command.name()) || isShellScript) return;
  try {
    const { config: configFile } = command.optsWithGlobals<{ config?: string }>();
    if (isOpenedHere(loadConfig({ configFile, onlyLedger: true }))) loadEngine();
  } catch {
    // The command reads the settings again.
  }
}

/** Not needed if the ledger is in PostgreSQL, or if another process owns it. */
function isOpenedHere({ databaseUrl, dataDir }: Config): boolean {
  if (databaseUrl) return false;
  try {
    return !readdirSync(dataDir).some((name) => /^owner-.*\.sock$/.test(name));
  } catch {
    return true;
  }
}
