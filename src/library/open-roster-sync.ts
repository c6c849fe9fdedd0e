// Opens roster-sync for a program: settings, ledger, and what delivers.
import { loadConfig, requireBaseUrl } from '../../config/load.ts';
import { defined } from '../core/defined.ts';
import { createLogger, type LogStream } from '../process/logger.ts';
import { assertSources } from '../roster/configured-source.ts';
import { parseBaseUrl } from '../service/settings.ts';
import { redactorOfConfig } from '../wiring/configured-secrets.ts';
import { openContext } from '../wiring/context.ts';
import { embed } from './embed.ts';
import type { RosterSync } from './roster-sync.ts';

/** Where settings come from: `settings` before the environment before the file before the defaults. */
export interface OpenRosterSyncOptions {
  /** By their names in docs/configuration.md: `{ 'service.baseUrl': 'https://api.example.com', 'delivery.rate': '5/1s' }`. */
  settings?: Readonly<Record<string, string | number | boolean>>;
  /** Variables such as `ROSTER_SYNC_TOKEN`; `process.env` unless given. Pass an empty object to depend on nothing outside. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The config file; without it, `roster-sync.yaml` in `cwd` is read if it is there. */
  configFile?: string;
  /** Where the config file and relative paths are looked up; the working directory unless given. */
  cwd?: string;
  /** What this process is called where somebody else wants its data directory, and in the audit; `program` unless given. */
  name?: string;
  /** Gets log lines, as JSON; without it, only errors are written, to standard error. Addresses are masked, secrets left out. */
  log?: LogStream;
}

/**
 * Opens the ledger, and makes the data directory if there is none. One process at a time owns an embedded ledger; commands such as
 * `roster-sync approve` ask that process, as they ask `serve`. From here on, this process makes files readable for
 * its own user only (umask 077). It handles no signals: call `close` when your program is to end.
 * @throws InputError with everything that is wrong in the settings; BusyError when another process owns the data directory;
 * StorageError when it cannot be used
 */
export async function openRosterSync(options: OpenRosterSyncOptions = {}): Promise<RosterSync> {
  const { settings = {}, environment, configFile, cwd, name = 'program', log: stream } = options;
  const config = loadConfig({
    flags: Object.entries(settings).map(([setting, value]) => ({ flag: setting, setting, value })),
    ...defined({ environment, configFile, cwd }),
  });
  assertSources(config);
  const { address } = parseBaseUrl(requireBaseUrl(config));
  const redact = redactorOfConfig(config);
  const log = createLogger(stream ? { stream, redact } : { quiet: true, redact });
  const context = await openContext({ config, log, command: name, create: true });
  return embed(context, address, name);
}
