// `serve`, `worker` and `open`: deliver and answer on HTTP until they are stopped; a link to the pages.
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { DeliveryEvents } from '../../../jobs/deliver/group-insert.ts';
import { announce } from '../../../jobs/run/announce.ts';
import { startDelivering } from '../../../jobs/deliver/deliver.ts';
import { attempt } from '../../core/attempt.ts';
import { closing } from '../../core/closing.ts';
import { cannotListen } from '../../core/host/this-machine.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { endedLongAgo } from '../../ledger/runs/runs.ts';
import { createApp, createWorkerApp } from '../../server/app.ts';
import type { ServerParts } from '../../server/parts.ts';
import { createReadiness } from '../../server/readiness.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { openOutput, openSession, type Session, withContext } from '../frame/session.ts';
import { createFigures } from '../../process/figures.ts';
import { readVersion } from '../../process/version.ts';
import { readPort } from '../frame/read-flags.ts';
import { logThrottles } from './throttled.ts';
import { ownScopes } from '../../core/secrets/token.ts';
import { refuseToLeaveAlone } from '../run/deliver.ts';
import { OwnedError } from '../../ledger/directory/owner.ts';
import { makeSignInLink, signInLinkPath } from '../../server/page/session.ts';
import { isTerminal } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import { osUser } from '../frame/os-user.ts';
import { InputError } from '../../core/errors.ts';
import type { Options } from '../options.ts';

type Begun = (address: string, ledger: Ledger) => Promise<void>;

/**
 * @param begun is called once it listens, with the server's address
 * @param isToLook somebody wants to look: runs whose process was killed are paused, as are those of long ago, and do not go on by themselves
 */
export async function serve(options: Options<'serve'>, begun?: Begun, isToLook = false): Promise<number> {
  const { host, worker } = options;
  const port = readPort(options.port);
  const session = openSession(options);
  return stay(
    { command: 'serve', session, delivers: worker, createApp, host, port, isToLook },
    async ({ context, address = '' }) => {
      session.output.note(`Serving on ${address}${worker ? ', delivering what is due' : ''}. Ctrl-C ends it.`);
      await begun?.(address, context.ledger);
    },
  );
}

/**
 * As many as you like. SIGTERM finishes the calls in flight and hands the rest back; a second one ends it at once.
 */
export async function runWorker({ host, ...options }: Options<'worker'>): Promise<number> {
  const session = openSession(options);
  const { config, log } = session;
  const port = options.port === undefined ? undefined : readPort(options.port);
  if (!config.redisUrl || !config.databaseUrl) {
    throw new InputError(
      'A worker shares its work with others: it needs both REDIS_URL and DATABASE_URL. ' +
        'Without them `import` and `resume` deliver by themselves.',
    );
  }
  const how = { command: 'worker', session, delivers: true, createApp: createWorkerApp, host, port } as const;
  await stay(how, async ({ context: { ledger, service }, address }) => {
    log.info({ worker: ledger.worker, service: service.address }, 'worker started');
    if (address !== undefined) log.info({ address }, 'health and metrics are answered');
  });
  log.info('worker stopped');
  return 0;
}

interface Staying {
  command: 'serve' | 'worker';
  session: Session;
  /** False where workers elsewhere deliver. */
  delivers: boolean;
  createApp(parts: ServerParts): Promise<FastifyInstance>;
  host: string;
  /** Nothing is answered without one. */
  port: number | undefined;
  isToLook?: boolean;
}

/** Delivers and answers until the process is stopped, or delivering fails. `begun` is called once it listens. */
async function stay(
  { command, session, delivers, createApp, host, port, isToLook = false }: Staying,
  begun: (parts: ServerParts) => Promise<void>,
): Promise<number> {
  const { config, log, output } = session;
  const mode = config.redisUrl && config.databaseUrl ? 'production' : 'embedded';
  const figures = createFigures({ version: readVersion(), mode });
  return withContext(session, { command, create: true, figures }, async (context, answering) => {
    const delivery = await context.openDelivery(config.delivery.rate);
    refuseToLeaveAlone({ delivery }, { worker: delivers, wait: true });
    const { ledger, service, shared } = delivery;
    for (const id of shared ? [] : await ledger.standingRuns(service.address, isToLook)) {
      if (await ledger.isDelivered(id)) continue;
      const [by, reason] = isToLook
        ? (['interruption', 'interrupted'] as const)
        : (['service', endedLongAgo()] as const);
      if (!(await ledger.moveRun(id, 'pause', { by, reason }))) continue;
      output.note(`Run ${id} was interrupted. It is paused until somebody resumes it.`);
      await announce(delivery, id);
    }
    const notReady = createReadiness([
      { name: 'ledger', ask: delivery.ledger.ledgerId },
      { name: 'queue', ask: delivery.queue.size },
    ]);
    const events: DeliveryEvents = {
      answered: logThrottles(log),
      outage: (reason) => log.warn({ reason }, 'the service takes no calls; one call a minute tries again'),
      recovered: () => log.info('the service answers again'),
    };
    const { concurrency } = config.delivery;
    const deliverer = delivers ? startDelivering(delivery, { concurrency, events }) : undefined;
    const interruptions = listenForInterruptions(() =>
      output.note('Finishing the calls in flight. Press Ctrl-C again to stop at once.'),
    );
    const parts: ServerParts = { context: delivery, notReady, poke: () => deliverer?.poke(), host };
    const app = port === undefined ? undefined : await createApp(parts);
    try {
      answering.as(parts);
      const place = { host, port: port ?? 0 };
      const address = await app?.listen(place).catch((error: unknown) => {
        throw cannotListen(command, place, error);
      });
      if (address !== undefined) parts.address = address;
      await begun(parts);
      const asked = interruptions.signal.aborted ? Promise.resolve() : once(interruptions.signal, 'abort');
      await Promise.race(deliverer ? [asked, deliverer.failure] : [asked]);
    } finally {
      // Side by side: a client that is slow to leave must not let further calls begin.
      await Promise.all([app?.close(), answering.close(), deliverer?.stop()]);
      interruptions.dispose();
    }
    return 0;
  });
}

/** Where no server runs, it becomes one. Whoever may use the data directory is trusted: no password. */
export async function open(options: Options<'open'>): Promise<number> {
  const output = openOutput(options);
  const show = (link: string): void => showLink(link, output, options.browser);
  try {
    const begun: Begun = async (address, ledger) =>
      show(address + (await makeSignInLink(ledger, osUser(), [...ownScopes])));
    return await serve({ ...options, host: '127.0.0.1', worker: true }, begun, true);
  } catch (error) {
    if (!(error instanceof OwnedError)) throw error;
    show(await askOwner(error));
    return 0;
  }
}

/** Asks the server that owns the data directory for a link. */
async function askOwner(owner: OwnedError): Promise<string> {
  const { clientOf } = await import('../frame/through-owner.ts');
  const client = clientOf(owner);
  await using _ = closing(client);
  const { statusCode, body } = await client.request({
    path: signInLinkPath,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: osUser() }),
  });
  const answer = (await body.json()) as { link?: string; detail?: string };
  if (statusCode < 300 && answer.link !== undefined) return answer.link;
  throw owner;
}

function showLink(link: string, output: Output, inBrowser: boolean): void {
  output.note(`Open this link to sign in. It works once, within five minutes:\n  ${link}`);
  if (!inBrowser || !isTerminal()) return;
  // The link is printed: whoever has no browser here, or no room for a file, can copy it.
  const page = attempt(() => pageThatLeadsTo(link));
  if (page === undefined) return;
  const [command = 'xdg-open', ...before] = openers[process.platform] ?? [];
  const child = spawn(command, [...before, page], { stdio: 'ignore', detached: true });
  child.once('error', () => {});
  child.unref();
}

/** A page of this user alone: everybody on this machine sees what a browser is started with. */
function pageThatLeadsTo(link: string): string {
  const page = join(mkdtempSync(join(tmpdir(), 'roster-sync-')), 'sign-in.html');
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">`, { mode: 0o600 });
  return page;
}

/** What opens a page in the user's browser, by platform. */
const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};
