// `doctor`: checks everything a run needs, without sending anybody; with `--notify`, every notification channel.
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Config } from '../../../config/load.ts';
import { askService, examineLedger } from '../../acts/upkeep.ts';
import { escapeText, moment } from '../../core/text/format.ts';
import { openDataDirectory } from '../../ledger/directory/data-directory.ts';
import { freeBytes } from '../../ledger/directory/disk.ts';
import { refuseLostLedger, copyError, originalOf, rememberPlace } from '../../ledger/directory/wrong-ledger.ts';
import { InputError, withNext } from '../../core/errors.ts';
import { parseBaseUrl } from '../../service/settings.ts';
import { inspectRedis, judgeRedis } from '../../queue/redis.ts';
import { nameAtTerminal } from '../../report/terminal/commands.ts';
import { rebuildLedger } from '../../ledger/directory/rebuild.ts';
import { paint } from '../../report/terminal/style.ts';
import { explainRefusal } from '../../process/trouble.ts';
import { readVersion } from '../../process/version.ts';
import {
  backupFindings,
  configFindings,
  type Finding,
  pgpFindings,
  problem,
  remark,
  serviceFinding,
} from '../../wiring/findings.ts';
import type { Output } from '../frame/output.ts';
import { openSessionOfAny, type Session, withActs } from '../frame/session.ts';
import { testNotice } from '../../core/run/notification.ts';
import { openNotifier } from '../../notify/notifier.ts';
import type { Options } from '../options.ts';

/** Sends no person. The worst finding decides the exit code. */
export async function examine(options: Options<'doctor'>): Promise<number> {
  const session = openSessionOfAny(options);
  const { config, output } = session;
  if (options.rebuild) {
    if (config.databaseUrl)
      throw new InputError('The ledger is in PostgreSQL: restore it from a backup of PostgreSQL.');
    output.print(await rebuildLedger(config.dataDir, 'doctor --rebuild'));
  }
  if (options.movedHere) await moveHere(session);
  const stored = await stores(session);
  const found: Finding[] = [
    { what: 'program', state: 'ok', text: `roster-sync ${readVersion()} on Node ${process.versions.node}` },
    ...(await configFindings(config)),
    ...(await pgpFindings(config)),
    await dataDirectory(config),
    ...stored,
    ...(await backupFindings(config)),
    ...(stored.some(({ what }) => what === 'service') ? [] : [await serviceFinding(session)]),
    ...(options.notify ? await tryChannels(config) : []),
  ];
  const findings = found.map(({ next, text, ...rest }) => ({ ...rest, text: withNext(text, next, nameAtTerminal) }));
  for (const finding of findings) show(output, finding);
  if (options.json) output.json('doctor', { findings });
  return Math.max(0, ...findings.map(({ state, exitCode = 1 }) => (state === 'problem' ? exitCode : 0)));
}

async function moveHere({ config, output }: Session): Promise<void> {
  if (config.databaseUrl) throw new InputError('The ledger is in PostgreSQL: only a data directory can be a copy.');
  const { path } = await openDataDirectory(config.dataDir, { create: false });
  await rememberPlace(path);
  output.print(`${path} is in use from now on. Do not send from the directory that it was copied from.`);
}

function show(output: Output, { what, state, text }: Finding): void {
  const inks = { ok: 'good', remark: 'warn', problem: 'bad' } as const;
  output.print(`${paint(output.style, inks[state], state.padEnd(8))} ${what.padEnd(15)} ${escapeText(text)}`);
}

async function dataDirectory({ dataDir }: Config): Promise<Finding> {
  const what = 'data directory';
  if (!existsSync(dataDir)) return remark(what, `${dataDir} does not exist yet; the first import creates it`);
  const path = await realpath(dataDir);
  const original = await originalOf(path);
  if (original) return problem(what, copyError(path, original));
  const free = Math.floor((await freeBytes(dataDir)) / 1024 / 1024);
  return { what, state: 'ok', text: `${dataDir}, ${free.toLocaleString('en')} MiB free` };
}

/** Ledger and queue, and the service where another process has to ask it. An embedded ledger that is not there yet is no problem. */
async function stores(session: Session): Promise<Finding[]> {
  const { config } = session;
  const kind = config.databaseUrl
    ? 'PostgreSQL'
    : 'embedded: survives a killed process, not a power cut; a backup is written after each run';
  const empty = [remark('ledger', `${kind}; it is empty`)];
  if (!config.databaseUrl && !existsSync(config.dataDir)) return empty;
  try {
    if (!config.databaseUrl) {
      const directory = await openDataDirectory(config.dataDir, { create: false });
      if (directory.isNew) {
        await refuseLostLedger(directory);
        return empty;
      }
    }
    const how = { command: 'doctor' };
    const { owner, service, unfinished, tables, throttled } = await withActs(session, how, async (ask, { owner }) => {
      const service = owner && (await ask(askService, {}).catch((error: unknown) => problem('service', error)));
      return { owner, service, ...(await ask(examineLedger, {})) };
    });
    const configured = config.service.baseUrl && parseBaseUrl(config.service.baseUrl).address;
    const others = unfinished.filter(({ service }) => configured !== undefined && service !== configured);
    // What its owner plans and delivers needs nobody to continue it.
    const left = unfinished.filter(
      (run) => !others.includes(run) && (!owner || (run.status !== 'planning' && run.status !== 'delivering')),
    );
    const findings: Finding[] = [
      { what: 'ledger', state: 'ok', text: owner ? `in use by ${owner.who}; ${kind}` : kind },
      ...tables,
    ];
    if (throttled) findings.push(paceFinding(throttled));
    const notAsked: Finding = { what: 'service', state: 'remark', text: 'not asked, because it is rate-limiting us' };
    if (service ?? throttled) findings.push(service ?? notAsked);
    if (left.length > 0) {
      const runs = left.map(({ id, status }) => `${id} (${status})`).join(', ');
      const next =
        '`roster-sync resume RUN` continues one that is paused or halted, `roster-sync show RUN` says why it waits';
      findings.push(remark('runs', `not finished: ${runs}; ${next}`));
    }
    for (const { id, status, service } of others) {
      const said = `${id} (${status}) belongs to ${service}, which is not the configured service: nothing here delivers it.`;
      findings.push(
        remark('runs', `${said} Set service.baseUrl to ${service}, or end it with \`roster-sync cancel ${id}\``),
      );
    }
    return [...findings, await queue(config)];
  } catch (error) {
    return [problem('ledger', error)];
  }
}

function paceFinding({ until, reason }: { until: string; reason: string }): Finding {
  const said = `the service is rate-limiting us until ${moment(until)} (${reason}); no calls are made until then.`;
  return remark('pace', `${said} \`roster-sync resume RUN --now\` calls it anyway`);
}

async function queue({ redisUrl }: Config): Promise<Finding> {
  if (!redisUrl) return { what: 'queue', state: 'ok', text: 'in memory, filled from the ledger' };
  try {
    const facts = await inspectRedis(redisUrl);
    const { problems, warnings } = judgeRedis(facts);
    const refusal = facts.refusal === undefined ? undefined : explainRefusal(new Error(facts.refusal));
    if (refusal !== undefined) problems.push(`${refusal} (${facts.refusal}).`);
    if (problems.length > 0) return { what: 'queue', state: 'problem', text: problems.join(' ') };
    if (warnings.length > 0) return remark('queue', `Redis ${facts.version}: ${warnings.join(' ')}`);
    return { what: 'queue', state: 'ok', text: `Redis ${facts.version}` };
  } catch (error) {
    return problem('queue', error);
  }
}

export async function tryChannels({ notify, proxyEnvironment: environment }: Config): Promise<Finding[]> {
  const notifier = openNotifier({ settings: notify, userAgent: `roster-sync/${readVersion()}`, environment });
  const { subscriptions } = notifier;
  const findings = await Promise.all(
    subscriptions.map(async ({ channel }): Promise<Finding> => {
      const { ok, said } = await notifier.send(channel, testNotice, `test-${Date.now()}`);
      const note = ok && channel === 'heartbeat' ? ' (the monitor counts this as a good run)' : '';
      return { what: channel, state: ok ? 'ok' : 'problem', text: said + note };
    }),
  );
  await notifier.close();
  if (findings.length > 0) return findings;
  return [remark('notify', 'nobody is notified of anything: no notify.webhook, smtp or heartbeat is set')];
}
