// Starts loading the embedded database while the command itself still loads.
import { readdirSync } from 'node:fs';
import type { Command } from 'commander';
import { type Config, loadConfig } from '../../../config/load.ts';
import { loadEngine } from '../../ledger/database/embedded/embedded-engine.ts';
import { completeCommand } from '../shell/scripts.ts';

/** The commands that open no ledger. */
const withoutLedger = new Set([
  'inspect',
  'init',
  'sandbox',
  'config',
  'demo',
  'completion',
  'completions',
  completeCommand,
]);

/** Whether a command, whose flags are read, opens a ledger as soon as it begins. */
export function opensLedger(command: Command): boolean {
  const { keep = false, history = false } = command.opts<{ keep?: boolean; history?: boolean }>();
  if (command.name() === 'answers') return keep || history;
  return !withoutLedger.has(command.name());
}

/** It takes as long as loading all else. Does nothing if the settings are wrong: the command reports that. */
export function loadAhead(command: Command): void {
  if (!opensLedger(command)) return;
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
