// `resolve`: records a decision about a person whose address or employee id changed.
import { requireBaseUrl } from '../../../config/load.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import type { IdentityDecision } from '../../core/rows/identity-change.ts';
import { personKey } from '../../core/person/member.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { type GlobalOptions, openLedgerSession, withContext } from '../frame/session.ts';

/** The flags of `resolve`: one of the two. */
export interface ResolveOptions extends GlobalOptions {
  renamedThere?: boolean;
  newAccount?: boolean;
}

export async function resolveAddress(old: string, now: string, options: ResolveOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const decision = decisionOf(options);
  const service = parseBaseUrl(requireBaseUrl(config)).address;
  const change = { service, oldKey: personKey(old), newKey: personKey(now), decision };
  return withContext(session, { command: 'resolve' }, async (context) => {
    const sources = await context.ledger.resolveIdentity(change);
    if (sources.length === 0) {
      throw new InputError(
        `Nobody was ever sent to ${service} as ${escapeText(old)}: there is nothing to resolve. Nothing was changed.`,
      );
    }
    output.print(
      `${sentence(escapeText(old), escapeText(now), decision)} The next run of ${sources.join(', ')} sends it.`,
    );
    if (options.json) output.json('resolve', { old, new: now, decision, service, sources });
    return 0;
  });
}

function decisionOf({ renamedThere = false, newAccount = false }: ResolveOptions): IdentityDecision {
  if (renamedThere !== newAccount) return renamedThere ? 'renamed-there' : 'new-account';
  throw new InputError(
    'Say one of --renamed-there (the service has the same account under the new address) and --new-account (it does not).',
  );
}

function sentence(old: string, now: string, decision: IdentityDecision): string {
  if (old === now) {
    return decision === 'renamed-there'
      ? `${now} is the same person with a new employee id.`
      : `${now} is a different person now, who was never given anything.`;
  }
  return decision === 'renamed-there'
    ? `What was given to ${old} counts as given to ${now} from now on.`
    : `${now} is a new account; ${old} is left as it is, and nothing is sent for it.`;
}
