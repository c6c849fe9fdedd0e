// Keeps and removes sources of the ledger; what lets more through than before needs whoever may approve.
import { createHash } from 'node:crypto';
import { parseKeptBlock, loosened } from '../../config/kept-source.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { ForbiddenError } from '../core/errors.ts';
import { isSamePerson } from '../core/access/roles.ts';
import { learnKeptSources } from '../wiring/kept-sources.ts';
import type { Asker } from './act.ts';

/** Deeds among which somebody else's yes is looked for. */
const mostDeeds = 1000;

/**
 * Keeps a source whose block was checked; without a block, removes it.
 * @returns false where there is none to remove
 * @throws ForbiddenError where it lets more through than before and whoever asks may not approve, or somebody else must too
 */
export async function changeSource(
  asker: Pick<Asker, 'by' | 'origin' | 'scopes' | 'context'>,
  { name, block }: { name: string; block?: string },
): Promise<boolean> {
  const { by, context } = asker;
  const { ledger } = context;
  await refuseLooser(asker, name, block);
  if (block === undefined) {
    if (!(await ledger.removeKeptSource(name))) return false;
  } else await ledger.keepSource({ name, block, by });
  await learnKeptSources(context);
  return true;
}

export async function refuseLooser(
  { by, origin, scopes, context: { ledger, config } }: Pick<Asker, 'by' | 'origin' | 'scopes' | 'context'>,
  name: string,
  block: string | undefined,
): Promise<void> {
  const kept = (await ledger.listKeptSources()).find((source) => source.name === name);
  const looser = loosened(sourceOf(kept?.block), sourceOf(block), config.delivery);
  if (looser.length === 0) return;
  const what = `This lets more through than before (${looser.join(', ')})`;
  if (!scopes.includes('approve'))
    throw new ForbiddenError(`${what}, which needs the scope approve. Nothing was changed.`);
  if (!config.server.twoPeople) return;
  const hash = createHash('sha256')
    .update(block ?? '')
    .digest('hex')
    .slice(0, 12);
  const action = `agree to source ${name} as ${hash}`;
  const deeds = await ledger.listDeeds({ limit: mostDeeds });
  const since = deeds.findIndex(
    (deed) => deed.action === `keep source ${name}` || deed.action === `remove source ${name}`,
  );
  const agreed = deeds.slice(0, since < 0 ? deeds.length : since).filter((deed) => deed.action === action);
  if (agreed.some((deed) => !isSamePerson(deed.by, by))) return;
  await ledger.noteDeed({ by, action, origin });
  throw new ForbiddenError(
    `${what}, and server.twoPeople wants two people to ask for it. Your yes is noted: somebody else who may approve has to send the same settings. Nothing was changed.`,
  );
}

function sourceOf(block: string | undefined): SourceConfig {
  const parsed = block === undefined ? undefined : parseKeptBlock(block);
  return parsed && 'source' in parsed ? parsed.source : {};
}
