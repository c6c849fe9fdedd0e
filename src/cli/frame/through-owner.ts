// Opens the ledger, or uses it through the process that owns the data directory.
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { Client, errors } from 'undici';
import { openDataDirectory } from '../../ledger/directory/data-directory.ts';
import type { Ask } from '../../acts/act.ts';
import type { Context } from '../../wiring/context.ts';
import { tempo } from '../../core/pace/waiting-times.ts';
import type { RemoteLedger } from '../../ledger/verbs.ts';
import { connectToOwner, OwnedError, OwnerGoneError } from '../../ledger/directory/owner.ts';
import { openNotifier } from '../../notify/notifier.ts';
import { createTrouble } from '../../process/trouble.ts';
import { readVersion } from '../../process/version.ts';
import { osUser } from './os-user.ts';
import type { Opening, Session, ThroughOwner } from './session.ts';
import { actsPath, errorOf, ledgerPath, packArguments, unpackResult } from '../../server/ledger-calls.ts';
import { redactorOfConfig } from '../../wiring/configured-secrets.ts';

/** The time for the first answer, ms: it comes at once, unless the owner is stopped or runs a long statement. */
const firstWithinMs = 30_000;
/** An answer takes as long as the statement; a million rows are counted within this, ms. */
const answerWithinMs = 120_000;

function gone(cause: unknown): never {
  const tooLate = cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError;
  throw new OwnerGoneError(
    tooLate
      ? 'the process that owns the data directory does not answer. It may be stopped (Ctrl-Z): look at its terminal.'
      : 'the process that owned the data directory has ended.',
    { cause },
  );
}

async function* orGone(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } catch (error) {
    gone(error);
  }
}

/** It plans and delivers nothing itself. Throws an OwnerGoneError, as all its verbs do, when nobody answers there. */
async function openThroughOwner({ config, log }: Session, owner: OwnedError): Promise<ThroughOwner> {
  const client = new Client('http://owner', {
    connect: (_options, done) => {
      connectToOwner(owner.socketPath).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      );
    },
    bodyTimeout: answerWithinMs,
  });

  async function send(path: string, type: string, body: Buffer | string, withinMs = answerWithinMs) {
    const headers = { 'content-type': type };
    const answer = await client.request({ path, method: 'POST', headers, body, headersTimeout: withinMs }).catch(gone);
    if (answer.statusCode < 300) return answer;
    const { code = '', detail = '' } = JSON.parse(await answer.body.text().catch(gone)) as Partial<
      Record<string, string>
    >;
    throw errorOf({ code, message: detail });
  }
  async function post(path: string, body: Buffer, withinMs?: number): Promise<Buffer> {
    const answer = await send(path, 'application/octet-stream', body, withinMs);
    return Buffer.from(await answer.body.arrayBuffer().catch(gone));
  }
  const ask: Ask = async ({ id }, input) => {
    const { headers, body } = await send(
      `${actsPath}/${id}`,
      'application/json',
      JSON.stringify({ by: osUser(), input }),
    );
    const isFile = headers['content-disposition'] !== undefined;
    if (isFile) return { name: '', type: '', parts: orGone(body) } as never;
    return deserialize(Buffer.from(await body.arrayBuffer().catch(gone))) as never;
  };
  const call = async (verb: string, given: readonly unknown[]): Promise<unknown> =>
    unpackResult(await post(`${ledgerPath}/${verb}`, packArguments(given)));
  const ledger = new Proxy({} as RemoteLedger, {
    // A proxy that is awaited is asked for `then`.
    get: (_, verb) =>
      typeof verb === 'string' && verb !== 'then' ? (...given: unknown[]) => call(verb, given) : undefined,
  });
  await post(`${ledgerPath}/ledgerId`, packArguments([]), firstWithinMs).catch(async (error: unknown) => {
    await client.destroy();
    throw error;
  });

  const notifier = openNotifier({
    settings: config.notify,
    publicUrl: config.server.publicUrl,
    userAgent: `roster-sync/${readVersion()}`,
    environment: config.proxyEnvironment,
  });
  return {
    config,
    log,
    trouble: createTrouble(log),
    ledger,
    ask,
    tempo,
    mode: 'embedded',
    notifier,
    directory: await openDataDirectory(config.dataDir, { create: false }),
    redact: redactorOfConfig(config),
    // The owner writes it.
    backup: async () => {},
    askToDeliver: async (runId) => void (await post(`/deliver/${encodeURIComponent(runId)}`, Buffer.alloc(0))),
    async close() {
      await notifier.close();
      await client.destroy();
    },
  };
}

/** The wait, ms, for a process that owns a directory for a moment only. */
const patienceMs = 5000;
const lookEveryMs = 100;

/**
 * Opens the ledger, or, where another process owns it, opens it through that one. An owner that has just ended is awaited
 * for: then the directory is free.
 * @throws OwnedError when the owner answers nobody for long
 */
export async function openHereOrThere(session: Session, how: Opening): Promise<Context | ThroughOwner> {
  for (const end = performance.now() + patienceMs; ; await sleep(lookEveryMs)) {
    try {
      return await session.openContext(how);
    } catch (owned) {
      if (!(owned instanceof OwnedError)) throw owned;
      try {
        return await openThroughOwner(session, owned);
      } catch (error) {
        if (!(error instanceof OwnerGoneError)) throw error;
        if (performance.now() > end) throw owned;
      }
    }
  }
}
