// Tells whether and when somebody was erased.
import { forgottenDigest } from '../../core/person/forgotten.ts';
import type { ServerParts } from '../parts.ts';

/** When the person with this key was erased; undefined where they were not. */
export async function forgottenOn(
  { ledger }: Pick<ServerParts['context'], 'ledger'>,
  key: string,
): Promise<Date | undefined> {
  return ledger.whenForgotten(forgottenDigest(await ledger.forgetKey(), key));
}
