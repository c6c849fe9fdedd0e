// Opens the ledger, or uses it through the process that owns the data directory.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, errors } from 'undici';
import { openDataDirectory } from '../../ledger/directory/data-directory.ts';
import type { AskingContext, Context } from '../../wiring/context.ts';
import { StorageError } from '../../core/errors.ts';
import { tempo } from '../../core/pace/waiting-times.ts';
import type { RemoteLedger } from '../../ledger/verbs.ts';
import { connectToOwner, OwnedError, OwnerGoneError } from '../../ledger/directory/owner.ts';
import { openNotifier } from '../../notify/notifier.ts';
import { createTrouble } from '../../process/trouble.ts';
import { readVersion } from '../../process/version.ts';
import type { Opening, Session } from './session.ts';
import { ledgerPath, packArguments, unpackResult } from '../../server/ledger-calls.ts';
import { redactorOfConfig } from '../../wiring/configured-secrets.ts';

/** The time for the first answer, ms: it comes at once, unless the owner is stopped or runs a long statement. */
const firstWithinMs = 30_000;
/** An answer takes as long as the statement; a million rows are counted within this, ms. */
const answerWithinMs = 120_000;

/** It plans and delivers nothing itself. Throws an OwnerGoneError, as all its verbs do, when nobody answers there. */
async function openThroughOwner({ config, log }: Session, owner: OwnedError): Promise<AskingContext> {
  const client = new Client('http://owner', {
    connect: (_options, done) => {
      connectToOwner(owner.socketPath).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      );
    },
    bodyTimeout: answerWithinMs,
  });

  async function post(path: string, body: Buffer, withinMs = answerWithinMs): Promise<Buffer> {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await client
      .request({ path, method: 'POST', headers, body, headersTimeout: withinMs })
      .then(async ({ statusCode, body }) => ({ statusCode, bytes: Buffer.from(await body.arrayBuffer()) }))
      .catch((error: unknown) => {
        const tooLate = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
        throw new OwnerGoneError(
          tooLate
            ? 'the process that owns the data directory does not answer. It may be stopped (Ctrl-Z): look at its terminal.'
            : 'the process that owned the data directory has ended.',
          { cause: error },
        );
      });
    if (answer.statusCode < 300) return answer.bytes;
    // The answers of a server that is closing.
    if (answer.statusCode === 503) throw new OwnerGoneError('the process that owned the data directory is ending.');
    const { detail } = JSON.parse(answer.bytes.toString('utf8')) as { detail?: string };
    throw new StorageError(`the process that owns the data directory answered: ${detail ?? answer.statusCode}`);
  }
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
export async function openHereOrThere(session: Session, how: Opening): Promise<Context | AskingContext> {
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
