// Asks the process that owns the data directory for acts.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, errors } from 'undici';
import { actsPath, type Ask } from '../../acts/act.ts';
import type { Context } from '../../wiring/context.ts';
import { BusyError, InputError, LedgerBusyError, StorageError } from '../../core/errors.ts';
import type { Problem } from '../../server/problems.ts';
import { connectToOwner, OwnedError, OwnerGoneError } from '../../ledger/directory/owner.ts';
import { osUser } from './os-user.ts';

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

/** The error behind a problem (RFC 9457) that the owner answered. */
export function errorOf({ code = '', detail = '', next = [] }: Partial<Problem>): Error {
  if (code === 'BUSY') return new BusyError(detail, { next });
  if (['STORAGE', 'LOST_CONNECTION', 'LEDGER_AWAY'].includes(code)) return new StorageError(detail, { next });
  if (code === 'LEDGER_BUSY') return new LedgerBusyError(detail);
  // A server that is closing still answers.
  if (code === 'OWNER_GONE' || code === 'CLOSING')
    return new OwnerGoneError('the process that owned the data directory is ending.');
  if (code === '' || code === 'UNEXPECTED') return new Error(detail);
  return new InputError(detail, { next });
}

/** A client of the socket on which an owner answers. */
export function clientOf(owner: OwnedError): Client {
  return new Client('http://owner', {
    connect: (_options, done) => {
      connectToOwner(owner.socketPath).then(
        (socket) => done(null, socket),
        (error: Error) => done(error, null),
      );
    },
    bodyTimeout: answerWithinMs,
  });
}

/** What is asked with; `here` is absent where another process owns the data directory, and is asked. */
export interface Asking {
  ask: Ask;
  here?: Context;
  owner?: OwnedError;
}

/** Throws an OwnerGoneError, as every act then does, when nobody answers there. */
async function openThroughOwner(owner: OwnedError): Promise<Asking & { close(): Promise<void> }> {
  const client = clientOf(owner);
  const ask: Ask = async ({ id, isLong }, input) => {
    const { statusCode, headers, body } = await client
      .request({
        ...{ path: `${actsPath}/${id}`, method: 'POST', body: JSON.stringify({ by: osUser(), input }) },
        headers: { 'content-type': 'application/json' },
        headersTimeout: isLong ? 0 : answerWithinMs,
      })
      .catch(gone);
    if (headers['content-disposition'] !== undefined) return { name: '', type: '', parts: orGone(body) } as never;
    const answer: unknown = JSON.parse(await body.text().catch(gone));
    if (statusCode < 300) return answer as never;
    throw errorOf(answer as object);
  };
  try {
    const { body } = await client.request({ path: actsPath, method: 'GET', headersTimeout: firstWithinMs }).catch(gone);
    await body.dump();
  } catch (error) {
    await client.destroy();
    throw error;
  }
  return { ask, owner, close: () => client.destroy() };
}

/** The wait, ms, for a process that owns a directory for a moment only. */
const patienceMs = 5000;
const lookEveryMs = 100;

/**
 * Opens the ledger, or, where another process owns it, the way to that one. An owner that has just ended is awaited for:
 * then the directory is free.
 * @throws OwnedError when the owner answers nobody for long
 */
export async function openHereOrThere(
  open: () => Promise<Context>,
): Promise<Context | Awaited<ReturnType<typeof openThroughOwner>>> {
  for (const end = performance.now() + patienceMs; ; await sleep(lookEveryMs)) {
    try {
      return await open();
    } catch (owned) {
      if (!(owned instanceof OwnedError)) throw owned;
      try {
        return await openThroughOwner(owned);
      } catch (error) {
        if (!(error instanceof OwnerGoneError)) throw error;
        if (performance.now() > end) throw owned;
      }
    }
  }
}
