// What a look at settings, secrets, keys, sources, ledger and service finds, for `doctor` and the page.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/load.ts';
import type { Answer } from '../core/call/answer.ts';
import { throttleIn } from '../core/call/throttle.ts';
import { RosterSyncError, type NextStep } from '../core/errors.ts';
import { placeOf, sourceProblems } from '../roster/configured-source.ts';
import type { ServiceClient } from '../service/client.ts';
import { weakSecrets } from './configured-secrets.ts';
import { inspectRedis } from '../queue/redis.ts';
import { openService } from './open-service.ts';
import { keyFault } from '../roster/pgp/decrypt.ts';
import { loadPgpKeys } from '../roster/places.ts';
import { count, moment } from '../core/text/format.ts';
import { checkBackup, listBackups } from '../ledger/directory/backups.ts';
import { describeBackup } from '../ledger/directory/wrong-ledger.ts';
import type { Context, DeliveryContext, WithLedger } from './context.ts';

/** One thing that was checked. A remark is worth knowing but stops nothing. */
export interface Finding {
  what: string;
  state: 'ok' | 'remark' | 'problem';
  text: string;
  next?: readonly NextStep[];
  /** The exit code that this problem asks for. */
  exitCode?: number;
}

/** What went wrong, as a finding. */
export function problem(what: string, error: unknown): Finding {
  if (error instanceof RosterSyncError)
    return { what, state: 'problem', text: error.message, next: error.next, exitCode: error.exitCode };
  return { what, state: 'problem', text: error instanceof Error ? error.message : String(error) };
}

/** What is worth knowing, as a finding. */
export const remark = (what: string, text: string): Finding => ({ what, state: 'remark', text });

/** What the settings say by themselves: where they stand, their secrets, and whether their sources can be read. */
export async function configFindings(config: Config): Promise<Finding[]> {
  return [await settingsFinding(config), ...secretFindings(config), ...sourceFindings(config)];
}

/** A line of a config file that holds a secret itself, and not the name of a variable. */
const secretInFile = /^[ -]*(token|password|secret|bearer|passphrase|privateKey|clientSecret) *: *(?!["']?\$\{)[^\s#]/m;

/** Whether others can read a config file that holds a secret. */
async function settingsFinding({ file }: Config): Promise<Finding> {
  const what = 'settings';
  if (file === undefined) return { what, state: 'ok', text: 'no config file here; defaults and environment' };
  const openToOthers = process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0;
  if (!openToOthers || !secretInFile.test(await readFile(file, 'utf8'))) return { what, state: 'ok', text: file };
  return remark(what, `${file} holds a secret and other users can read it: chmod 600 ${file}`);
}

/** Secrets that look like ordinary words: hiding them everywhere would reveal them. */
function secretFindings(config: Config): Finding[] {
  const [what, weak] = ['secrets', weakSecrets(config)];
  if (weak.length === 0) return [];
  const text =
    `${weak.join(', ')}: shorter than 8 characters, or a common word. Logs and messages hide ${weak.length === 1 ? 'it' : 'them'} ` +
    'only where nothing else surrounds it. Use a longer, random one.';
  return [remark(what, text)];
}

/** Whether each source can be read, as far as its settings tell; nothing is read. */
function sourceFindings(config: Config): Finding[] {
  const problems = new Map(sourceProblems(config).map(({ source, problem }) => [source, problem]));
  return Object.entries(config.sources).map(([name, source]) => {
    const what = `source ${name}`;
    const problem = problems.get(name);
    if (problem !== undefined) return { what, state: 'problem', text: problem, exitCode: 2 };
    const said = placeOf(source);
    return {
      what,
      state: 'ok',
      text: said === '' ? 'rules for imports and events; it has no roster of its own' : said,
    };
  });
}

/** How long a check waits for its place among the calls, ms. */
const slotWithinMs = 15_000;

/**
 * One question analysis for a story that cannot exist, in the pace of all calls where this process delivers (R4): shows
 * whether address and token are right.
 */
export async function serviceFinding(context: Pick<Context, 'config' | 'log'> | DeliveryContext): Promise<Finding> {
  try {
    if ('pacer' in context) return await probe(context);
    const { config, log } = context;
    // The pace is there: while it does not answer, nobody may call.
    if (config.redisUrl) await inspectRedis(config.redisUrl);
    const opened = await openService(config, log);
    try {
      return await probe(opened);
    } finally {
      await opened.close();
    }
  } catch (error) {
    return problem('service', error);
  }
}

async function probe({ service, pacer }: Pick<DeliveryContext, 'service' | 'pacer'>): Promise<Finding> {
  const signal = AbortSignal.timeout(slotWithinMs);
  for (;;) {
    const slot = await pacer.slot({ id: 'check' }, () => Promise.resolve(true), signal);
    if (!slot.go) break;
    const answer = await service.probe({ notAfter: slot.until });
    if (answer.kind === 'not-sent' && answer.late) {
      await pacer.late();
      continue;
    }
    await pacer.tell(answer.kind, 0, ...throttleIn(answer));
    return judgeProbe(service, answer);
  }
  const throttle = await pacer.throttle();
  const { address } = service;
  const why = throttle
    ? `${address} is rate-limiting us until ${moment(new Date(Date.now() + throttle.forMs).toISOString())} (${throttle.reason})`
    : pacer.outage
      ? `${address} does not answer`
      : 'runs take every call that the rate allows';
  return { what: 'service', state: 'remark', text: `not asked: ${why}` };
}

function judgeProbe({ address, checkAddress }: ServiceClient, answer: Answer): Finding {
  const what = 'service';
  if (answer.kind === 'accepted') return { what, state: 'ok', text: `${address} answers and accepts the token` };
  if (answer.kind === 'throttled') return remark(what, `${address} is rate-limiting us: ${answer.reason}`);
  const isItsOwn = 'response' in answer && (answer.response?.httpStatus ?? 0) >= 500;
  const next = isItsOwn ? '; it has an error of its own: try again later' : `; ${checkAddress}`;
  return { what, state: 'problem', text: `${answer.reason}${answer.kind === 'refused' ? '' : next}`, exitCode: 6 };
}

/** Whether the keys for encrypted rosters open, with the gpg of this machine; a finding for each source that has some. */
export async function pgpFindings(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, { pgp }] of Object.entries(config.sources)) {
    if (!pgp) continue;
    const what = `PGP of ${name}`;
    try {
      const fault = await keyFault(await loadPgpKeys(pgp));
      if (fault === undefined)
        findings.push({ what, state: 'ok', text: 'gpg is installed, and the private key opens' });
      else findings.push({ what, state: 'problem', text: fault, exitCode: 2 });
    } catch (error) {
      if (!(error instanceof RosterSyncError)) throw error;
      findings.push(problem(what, error));
    }
  }
  return findings;
}

/** Reads every table to its end; takes as long as the ledger is large. */
export async function tableFindings({ ledger }: WithLedger): Promise<Finding[]> {
  const damaged = await ledger.findDamage();
  if (damaged.length === 0) return [{ what: 'tables', state: 'ok', text: 'every row of every table can be read' }];
  return damaged.map(({ table, reason }) => ({
    what: 'tables',
    state: 'problem',
    text: `the table ${table} or an index of it cannot be read (${reason})`,
    next: [{ act: 'upkeep.rebuild' }],
  }));
}

/** The backups next to an embedded ledger; the newest is read to its end. None where there are no backups. */
export async function backupFindings({ databaseUrl, dataDir }: Config): Promise<Finding[]> {
  const what = 'backup';
  try {
    const kept = databaseUrl ? [] : await listBackups(join(dataDir, 'backup'));
    const [newest] = kept;
    if (newest === undefined) return [];
    const { header } = await checkBackup(newest.file);
    const older = kept.length > 1 ? `; ${count(kept.length - 1, 'older one')} next to it` : '';
    return [{ what, state: 'ok', text: `${describeBackup(header)}${older}` }];
  } catch (error) {
    return [{ ...problem(what, error), state: 'remark' }];
  }
}
