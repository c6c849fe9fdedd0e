// Encodes calls of ledger verbs for the owner's socket.
import { deserialize, serialize } from 'node:v8';
import {
  BusyError,
  InputError,
  LedgerBusyError,
  LostConnectionError,
  RosterSyncError,
  StorageError,
} from '../core/errors.ts';
import { OwnerGoneError } from '../ledger/directory/owner.ts';

export const ledgerPath = '/ledger';
/** Where acts are asked for, each by its id. */
export const actsPath = '/acts';

/** What a verb brought. Between two processes of one program and one user: dates and absences stay what they are. */
type Brought = { result: unknown } | { problem: { code: string; message: string } };

export function packArguments(given: readonly unknown[]): Buffer {
  return serialize(given);
}

export function unpackArguments(bytes: Buffer): unknown[] {
  return deserialize(bytes) as unknown[];
}

/** A server that is closing still answers. */
const endingOwner = 'the process that owned the data directory is ending.';

/** What pg's pool says, without a code, to whoever asks while the owner closes its ledger. */
const poolEnded = 'Cannot use a pool after calling end on the pool';

export async function packResult(act: () => Promise<unknown>): Promise<Buffer> {
  try {
    return serialize({ result: await act() } satisfies Brought);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const code = error instanceof RosterSyncError ? error.code : message === poolEnded ? 'OWNER_GONE' : '';
    return serialize({ problem: { code, message } } satisfies Brought);
  }
}

export function unpackResult(bytes: Buffer): unknown {
  const brought = deserialize(bytes) as Brought;
  if ('result' in brought) return brought.result;
  throw errorOf(brought.problem);
}

/** The error behind a problem, for the process that asked. */
export function errorOf({ code, message }: { code: string; message: string }): Error {
  if (code === 'BUSY') return new BusyError(message);
  if (code === 'STORAGE') return new StorageError(message);
  if (code === 'LEDGER_BUSY') return new LedgerBusyError(message);
  if (code === 'OWNER_GONE' || code === 'CLOSING') return new OwnerGoneError(endingOwner);
  if (code === 'LOST_CONNECTION') return new LostConnectionError(message);
  return code === '' || code === 'UNEXPECTED' ? new Error(message) : new InputError(message);
}
