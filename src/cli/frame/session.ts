// What every command begins with: output, log, settings, and the way to the ledger.
import type { z } from 'zod';
import { type Config, loadConfig, type LoadOptions, terminal } from '../../../config/load.ts';
import type { Act, Ask } from '../../acts/act.ts';
import { ownScopes } from '../../core/secrets/token.ts';
import { assertSources } from '../../roster/configured-source.ts';
import { type Context, type ContextOptions, openContext } from '../../wiring/context.ts';
import { redactorOfConfig } from '../../wiring/configured-secrets.ts';
import { escapeText } from '../../core/text/format.ts';
import { createLogger, type Logger } from '../../process/logger.ts';
import { OwnedError, OwnerGoneError } from '../../ledger/directory/owner.ts';
import { type Answering, answerOthers } from '../../server/owner-socket.ts';
import { osUser } from './os-user.ts';
import type { Asking } from './through-owner.ts';
import { createOutput, type Output, type OutputStream, wantsColor } from './output.ts';

/** Parts of the command line that another program can replace; what is left out is the product's own. */
export interface ProgramParts {
  openContext?: typeof openContext;
  /** Where settings are looked up, instead of this process's environment and working directory. */
  settings?: Pick<LoadOptions, 'environment' | 'cwd'>;
  /** Where results go. */
  stdout?: OutputStream;
  /** Where remarks and problems go. */
  stderr?: OutputStream;
}

/** Flags that every command understands, and what the command line is made of. */
export interface GlobalOptions {
  parts?: ProgramParts;
  config?: string;
  quiet?: boolean;
  verbose?: boolean;
  json?: boolean;
}

/** How a command opens its context; what else is needed the session knows. */
export interface Opening extends Omit<ContextOptions, 'config' | 'log'> {
  /** Not through another process that owns the data directory: what it does would hold that up. */
  isAlone?: true;
}

export interface Session {
  output: Output;
  log: Logger;
  config: Config;
  openContext(how: Opening): Promise<Context>;
}

export function openOutput({ json = false, quiet = false, parts = {} }: GlobalOptions): Output {
  const { stdout = process.stdout, stderr = process.stderr } = parts;
  return createOutput({ stdout, stderr, json, quiet, color: wantsColor(json ? stderr : stdout, terminal()) });
}

/** Settings that are flags of some commands. */
type SettingFlags = { concurrency?: string; maxInvitations?: string };

/** Reads the settings. Throws InputError with everything that is wrong in them, or with sources that nobody could read. */
export function openSession(options: GlobalOptions & SettingFlags): Session {
  const session = openSessionOfAny(options);
  assertSources(session.config);
  return session;
}

/** The same whatever its sources are like, for a command that says so of each. */
export function openSessionOfAny(options: GlobalOptions & SettingFlags): Session {
  const flags = [
    { flag: '--concurrency', setting: 'delivery.concurrency', value: options.concurrency },
    { flag: '--max-invitations', setting: 'delivery.maxInvitations', value: options.maxInvitations },
  ];
  return sessionOf(options, loadConfig({ ...options.parts?.settings, configFile: options.config, flags }));
}

/** For a command that only asks the ledger: an operator's shell may lack the variables with the secrets. */
export function openLedgerSession(options: GlobalOptions): Session {
  return sessionOf(options, loadConfig({ ...options.parts?.settings, configFile: options.config, onlyLedger: true }));
}

function sessionOf(options: GlobalOptions, config: Config): Session {
  const redact = redactorOfConfig(config);
  const log = createLogger({ quiet: options.quiet ?? false, verbose: options.verbose ?? false, redact });
  const open = options.parts?.openContext ?? openContext;
  const output = openOutput(options);
  if (config.file !== undefined && (config.fileAt === 'above' || options.verbose === true)) {
    output.note(`The config file is ${escapeText(config.file)}.`);
  }
  return { output, log, config, openContext: (how) => open({ config, log, ...how }) };
}

/** Closes it whatever happens. Where it owns the data directory, others are answered meanwhile. */
export async function withContext<Result>(
  session: Session,
  how: Opening,
  use: (context: Context, answering: Answering) => Promise<Result>,
): Promise<Result> {
  return withOpened(await session.openContext(how), use);
}

/** Asks for acts: here, or the process that owns the data directory. Should that end meanwhile, `use` is called again. */
export async function withActs<Result>(
  session: Session,
  how: Opening,
  use: (ask: Ask, asking: Asking) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const opened = await session.openContext(how).catch(async (error: unknown) => {
      if (!(error instanceof OwnedError) || how.isAlone) throw error;
      const { openHereOrThere } = await import('./through-owner.ts');
      return openHereOrThere(() => session.openContext(how));
    });
    if ('ledger' in opened) {
      return withOpened(opened, async (here) => {
        const ask = await askIn(here);
        return use(ask, { ask, here });
      });
    }
    try {
      return await use(opened.ask, opened);
    } catch (error) {
      if (!(error instanceof OwnerGoneError)) throw error;
    } finally {
      await opened.close();
    }
  }
}

/** Asks for one act, and says what it answers. Returns the exit code. */
export async function tell<Input extends z.ZodObject, Answer>(
  options: GlobalOptions,
  how: Opening,
  [act, input]: [Act<Input, Answer>, z.output<Input>],
  say: (answer: Answer, output: Output) => void,
): Promise<number> {
  const session = openLedgerSession(options);
  const answer = await withActs(session, how, (ask) => ask(act, input));
  say(answer, session.output);
  return 0;
}

/** Asks in this process, as the user of the system, who may do everything. */
export async function askIn(context: Context): Promise<Ask> {
  const { askAs } = await import('../../acts/perform.ts');
  const poke = (runId: string): void => void context.adopted.add(runId);
  return askAs({ by: osUser(), origin: '', scopes: ownScopes, context, poke });
}

async function withOpened<Result>(
  context: Context,
  use: (context: Context, answering: Answering) => Promise<Result>,
): Promise<Result> {
  const answering = answerOthers(context);
  try {
    return await use(context, answering);
  } finally {
    try {
      await answering.close();
    } finally {
      await context.close();
    }
  }
}
