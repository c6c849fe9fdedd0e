// Computes and checks the keyed hash that keeps an erased person out.
import { createHmac } from 'node:crypto';
import type { Reject, Row } from '../rows/row.ts';

/** From it nobody gets the address without the ledger's key. 64 hexadecimal characters. */
export function forgottenDigest(ledgerKey: string, personKey: string): string {
  return createHmac('sha256', ledgerKey).update(personKey).digest('hex');
}

/** Tells whether somebody was erased. Nothing is computed where nobody was. */
export function forgottenTest(ledgerKey: string, digests: readonly string[]): (personKey: string) => boolean {
  const all = new Set(digests);
  return (key) => all.size > 0 && all.has(forgottenDigest(ledgerKey, key));
}

/** Why a row about somebody who was erased is rejected. */
export const forgottenReason = 'this person was erased and is not sent again';

/** The reject of a row about somebody who was erased. It keeps nothing of the row: the ledger would know them again. */
export function forgottenReject({ file, line, cells }: Row, column: string): Reject {
  return { file, line, column, value: '', cells: cells.map(() => ''), reason: forgottenReason, kind: 'forgotten' };
}
