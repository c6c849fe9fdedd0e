// The acts about sources: list them, keep them in the ledger, and say when each is read.
import { z } from 'zod';
import { loosened, parseKeptBlock, problemsOfKept } from '../../config/kept-source.ts';
import { readKnownSchedules, viewSchedules } from '../../jobs/run/run-due.ts';
import { InputError, NotFoundError, ForbiddenError } from '../core/errors.ts';
import { SchedulesDocument } from './shapes/roster.ts';
import { isFromConfig, learnKeptSources } from '../wiring/kept-sources.ts';
import { act, look, type Asker } from './act.ts';
import { serviceOf } from './perform.ts';
import { Nothing } from './shapes/parts.ts';
import { KeepInput, Kept, KeptSource, SourceInput, Sources } from './shapes/sources.ts';
import { createHash } from 'node:crypto';
import type { SourceConfig } from '../../config/source-schema.ts';
import { isSamePerson } from '../core/access/roles.ts';

const audit = {
  of: ({ name, isKept }: { name: string; isKept: boolean }) => `${isKept ? 'keep' : 'remove'} source ${name}`,
};

export const listSources = look({
  id: 'sources.list',
  input: Nothing,
  output: Sources,
  async run({ context }) {
    const kept = await learnKeptSources(context);
    const own = Object.keys(context.config.sources).filter((name) => isFromConfig(context.config, name));
    const ofLedger = kept.map(({ name, by, at }) => {
      return { name, from: 'ledger' as const, isUsed: !own.includes(name), by, at: at.toISOString() };
    });
    return { sources: [...own.map((name) => ({ name, from: 'config' as const, isUsed: true })), ...ofLedger] };
  },
  http: { route: 'GET /sources', operation: 'listSources' },
});

export const getSource = look({
  id: 'sources.get',
  input: SourceInput,
  output: KeptSource,
  async run({ context: { ledger } }, { source }) {
    const found = (await ledger.listKeptSources()).find(({ name }) => name === source);
    if (!found) throw notKept(source);
    return { name: found.name, settings: found.block, by: found.by, at: found.at.toISOString() };
  },
  http: { route: 'GET /sources/:source', operation: 'getSource' },
});

/** All that are kept, for a terminal that uses one of them. */
export const keptSources = look({
  id: 'sources.kept',
  input: Nothing,
  output: z.object({ kept: z.array(KeptSource.pick({ name: true })) }),
  run: async ({ context: { ledger } }) => ({
    kept: (await ledger.listKeptSources()).map(({ name, block }) => ({ name, block })),
  }),
  http: { none: 'GET /sources/:source shows each' },
});

export const keepSource = act({
  id: 'sources.keep',
  scope: 'run',
  input: KeepInput,
  output: Kept,
  async run(asker, { source: name, settings }) {
    const problems = problemsOfKept(name, settings);
    if (problems.length > 0) throw new InputError(`Nothing was kept. ${problems.join('; ')}.`);
    await changeSource(asker, { name, block: settings });
    return { name, isKept: true };
  },
  audit,
  http: { route: 'PUT /sources/:source', operation: 'keepSource' },
});

/** Refuses what `keepSource` would: a file of several sources is kept wholly or not at all. */
export const checkSource = act({
  id: 'sources.check',
  scope: 'run',
  input: KeepInput,
  output: Nothing,
  async run(asker, { source, settings }) {
    await refuseLooser(asker, source, settings);
    return {};
  },
  audit: { none: 'what it notes is the yes of one of two people' },
  http: { none: 'PUT /sources/:source checks it as well' },
});

export const removeSource = act({
  id: 'sources.remove',
  scope: 'run',
  input: SourceInput,
  output: Kept,
  async run(asker, { source: name }) {
    if (!(await changeSource(asker, { name }))) throw notKept(name);
    return { name, isKept: false };
  },
  audit,
  http: { route: 'DELETE /sources/:source', operation: 'removeSource' },
});

export const listSchedules = look({
  id: 'sources.schedules',
  input: Nothing,
  output: SchedulesDocument,
  async run({ context }) {
    const known = await readKnownSchedules(context.ledger, serviceOf(context));
    return { schedules: viewSchedules(context.config, new Date(), known) };
  },
  http: { route: 'GET /schedules', operation: 'listSchedules' },
});

function notKept(name: string): NotFoundError {
  return new NotFoundError(`No source ${name} is kept in the ledger.`, { code: 'NO_SOURCE' });
}

/** Every run reads which sources there are. */
const mostKept = 500;
/** Deeds among which somebody else's yes is looked for. */
const mostDeeds = 1000;

/**
 * Keeps a source whose block was checked; without a block, removes it.
 * @returns false where there is none to remove
 * @throws ForbiddenError where it lets more through than before and whoever asks may not approve, or somebody else must too
 */
async function changeSource(asker: Asker, { name, block }: { name: string; block?: string }): Promise<boolean> {
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
  { by, origin, scopes, context: { ledger, config } }: Asker,
  name: string,
  block: string | undefined,
): Promise<void> {
  const all = await ledger.listKeptSources();
  const kept = all.find((source) => source.name === name);
  if (block !== undefined && !kept && all.length >= mostKept)
    throw new InputError(`${mostKept} sources are kept, which is the limit. Remove one first. Nothing was changed.`);
  const looser = loosened(sourceOf(kept?.block), sourceOf(block), config.delivery);
  if (looser.length === 0) return;
  const what = `This lets more through than before (${looser.join(', ')})`;
  if (!scopes.includes('approve'))
    throw new ForbiddenError(`${what}, which needs the scope approve. Nothing was changed.`);
  if (!config.server.twoPeople) return;
  const hash = createHash('sha256')
    .update(block ?? '')
    .digest('hex');
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
