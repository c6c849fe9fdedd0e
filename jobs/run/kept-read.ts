// Hands a run the people that its source's last read kept, and keeps those of its own read.
import { randomUUID } from 'node:crypto';
import type { SourceConfig } from '../../config/source-schema.ts';
import type { Context } from '../../src/wiring/context.ts';
import { forgottenTest } from '../../src/core/person/forgotten.ts';
import { personKey } from '../../src/core/person/member.ts';
import type { DeltaRead, KeptPeople, KeptPerson } from '../../src/roster/fetch/kept-people.ts';
import type { KeptOf, KeptRead } from '../../src/ledger/planning/kept-reads.ts';

/** People that are read or written at a time. */
const peopleAtOnce = 500;
const staleAtOnce = 2000;

/** What is kept of a read, and in place of which other read it comes. */
export interface ReadToKeep {
  read: DeltaRead;
  base?: string;
}

/** The last read of a source that asks only for changes. */
export async function recallRead(
  { ledger }: Pick<Context, 'ledger'>,
  of: KeptOf,
  { fullEvery }: NonNullable<SourceConfig['delta']>,
): Promise<{ found?: KeptRead; kept?: KeptPeople }> {
  const found = await ledger.findKeptRead(of);
  if (!found) return {};
  const { readId, link, digest, fullAt } = found;
  async function* people(): AsyncGenerator<KeptPerson[]> {
    for (let after = ''; ;) {
      const batch = await ledger.listKeptPeople({ ...of, readId, after, limit: peopleAtOnce });
      if (batch.length > 0) yield batch;
      if (batch.length < peopleAtOnce) return;
      after = batch.at(-1)?.id ?? '';
    }
  }
  return { found, kept: { link, digest, isOld: Date.now() - fullAt.getTime() >= fullEvery, people } };
}

/**
 * Keeps what a run read, with the link for the next: all of it, or as if it had not been read. Of people who were erased
 * only the id is kept.
 */
export async function keepRead(
  { ledger }: Pick<Context, 'ledger'>,
  of: KeptOf & { runId: string },
  { read, base }: ReadToKeep,
): Promise<void> {
  const { service, source, runId } = of;
  const readId = randomUUID();
  const isForgotten = forgottenTest(await ledger.forgetKey(), await ledger.forgottenAt(service));
  await removeStale();
  for (const batch of read.people()) {
    const people = batch.map(({ id, record }) => {
      const keys = keysIn(record ?? '');
      return keys.some(isForgotten) ? { id, record: '', keys: [] } : { id, record, keys };
    });
    await ledger.stageKeptPeople({ service, source, readId, people });
  }
  const { link, digest, isFull } = read;
  await ledger.settleKeptRead({
    service,
    source,
    readId,
    runId,
    link,
    digest,
    ...(!isFull && base !== undefined && { base }),
  });
  await removeStale();

  async function removeStale(): Promise<void> {
    for (;;) if ((await ledger.removeStaleKept({ service, source, limit: staleAtOnce })) < staleAtOnce) return;
  }
}

/** The person keys of all addresses in a record. */
function keysIn(record: string): string[] {
  if (record === '') return [];
  const texts = Object.values(JSON.parse(record) as object).flat();
  return [...new Set(texts.flatMap((text) => (typeof text === 'string' && text.includes('@') ? personKey(text) : [])))];
}
