import { type Config, type Flag, loadConfig, terminal } from '../../config/load.ts';
import { type ContextOptions, type Context, openContext } from '../context.ts';
import { redactor, Secret } from '../core/secret.ts';
import { createLogger, type Logger } from '../logger.ts';
import { secretsOfSource } from '../roster/source-secrets.ts';
import { createOutput, type Output, wantsColor } from './output.ts';

/** Flags that every command understands. */
export interface GlobalOptions {
  config?: string;
  quiet?: boolean;
  verbose?: boolean;
  json?: boolean;
}

/** What every command begins with: where to write, and the settings in force. */
export interface Session {
  output: Output;
  log: Logger;
  config: Config;
}

/** Makes the output of a command. */
export function openOutput({ json = false, quiet = false }: GlobalOptions): Output {
  const { stdout, stderr } = process;
  return createOutput({ stdout, stderr, json, quiet, color: wantsColor(json ? stderr : stdout, terminal()) });
}

/** Reads the settings. Throws InputError with everything that is wrong in them. */
export function openSession(options: GlobalOptions, flags: readonly Flag[] = []): Session {
  const config = loadConfig({ configFile: options.config, flags });
  const { token, username, password } = config.service;
  const made = new Secret(Buffer.from(`${username}:${password?.reveal()}`).toString('base64'));
  const ofSources = Object.values(config.sources).flatMap(secretsOfSource);
  const { webhook, webhookSecret, heartbeat } = config.notify;
  const ofNotify = [webhook, webhookSecret, heartbeat].filter((secret) => secret !== undefined);
  const redact = redactor([...(token ? [token] : []), ...(password ? [made] : []), ...ofSources, ...ofNotify]);
  const log = createLogger({ quiet: options.quiet ?? false, verbose: options.verbose ?? false, redact });
  return { output: openOutput(options), log, config };
}

/** Opens a context for the time of `use`, and closes it whatever happens. */
export async function withContext<Result>(
  options: ContextOptions,
  use: (context: Context) => Promise<Result>,
): Promise<Result> {
  const context = await openContext(options);
  try {
    return await use(context);
  } finally {
    await context.close();
  }
}
