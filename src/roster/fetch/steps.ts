// Fetches what a source needs besides its people, such as group names, and puts it into their records.
import pLimit from 'p-limit';
import type { Step } from '../presets/preset-schema.ts';
import { namesInOneCell } from '../../core/cells/read-cell.ts';
import { InputError } from '../../core/errors.ts';
import { cellText, isRecord, parsePath, valuesAt } from '../../core/rows/path.ts';
import { showUrl } from './http-message.ts';
import { type Fetching, keyOf, readGroups, readTable, type StepNotes, type StepOf } from './group-tables.ts';
import { findRecords, parseAnswer } from './answer.ts';
import { sent } from './pages.ts';
import { PassingTrouble } from './tries.ts';

type Found = Record<string, unknown>;
/** Adds what a step has to the records of a page. */
export type Enricher = (records: Found[]) => Found[] | Promise<Found[]>;

/** The number of requests at a time for single people. Most HR systems allow a few a second. */
const sideBySide = 4;

/** Takes the steps, one after the other. What is fetched once, such as a list of groups, is there when this returns. */
export async function prepareSteps(steps: readonly Step[], fetching: Fetching): Promise<Enricher> {
  const enrichers: Enricher[] = [];
  for (const step of steps) enrichers.push(await prepare(step, fetching));
  return async (records) => {
    let enriched = records;
    for (const enrich of enrichers) enriched = await enrich(enriched);
    return enriched;
  };
}

async function prepare(step: Step, fetching: Fetching): Promise<Enricher> {
  const { notes } = fetching;
  switch (step.do) {
    case 'each': {
      const limit = pLimit(sideBySide);
      return (records) =>
        limit.map(records, async (record) => ({ ...record, [step.into]: await detailsOf(record, step, fetching) }));
    }
    case 'batch':
      return (records) => inBatches(records, step, fetching);
    case 'table': {
      const names = await readTable(step, fetching);
      const [from, keys] = [[step.from].flat().map(parsePath), step.key.map(parsePath)];
      return withNames(step, notes, (record) =>
        from.flatMap((path) => valuesAt(record, path)).map((one) => names.get(keyOf(one, keys))),
      );
    }
    case 'members':
    case 'memberships':
    case 'links': {
      const [groups, id] = [await readGroups(step, fetching), parsePath(step.id)];
      return withNames(step, notes, (record) => valuesAt(record, id).flatMap((one) => groups.groupsOf(String(one))));
    }
    case 'names': {
      const from = step.from.map(parsePath);
      return withNames(step, notes, (record) => from.flatMap((path) => valuesAt(record, path)));
    }
    case 'hidden': {
      const list = parsePath(step.in);
      const isHidden = (record: Found): boolean =>
        valuesAt(record, list).some((field) => step.fields.includes(String(field)));
      return (records) =>
        records.map((record) => {
          if (!isHidden(record)) return record;
          notes.hidden += 1;
          return { ...record, [step.blank]: '' };
        });
    }
  }
}

/** Puts names into a cell of each record, each of them once. */
function withNames({ into }: { into: string }, notes: StepNotes, find: (record: Found) => unknown[]): Enricher {
  const isName = (name: unknown): name is string => typeof name === 'string' && name.trim() !== '';
  return (records) =>
    records.map((record) => {
      const names = new Set(find(record).filter(isName));
      return { ...record, [into]: namesInOneCell([...names], notes.renamed) };
    });
}

/** What the server has about one person, whose record fills the address. */
async function detailsOf(record: Found, step: StepOf<'each'>, { client, limits }: Fetching): Promise<unknown> {
  const filled = step.url.replaceAll(/\{([^{}]+)\}/g, (_, path: string) => {
    const [value] = valuesAt(record, parsePath(path));
    if (typeof value === 'string' || typeof value === 'number') return encodeURIComponent(String(value));
    throw new InputError(`${limits.name}: somebody in the answer has no ${path}, which is needed to ask for the rest.`);
  });
  const url = client.follow(filled, client.url);
  const { body, status } = await client.read({ url, method: 'GET' });
  const where = `${limits.name}: ${showUrl(url)}`;
  return status === 204 ? undefined : findRecords(parseAnswer(body, where), step.records, where)[0];
}

async function inBatches(records: Found[], step: StepOf<'batch'>, fetching: Fetching): Promise<Found[]> {
  const { refused } = fetching.notes;
  const id = parsePath(step.id);
  const enriched: Found[] = [];
  for (let at = 0; at < records.length; at += step.size) {
    const batch = records.slice(at, at + step.size);
    const ids = batch.map((record) => cellText(valuesAt(record, id).slice(0, 1)));
    const answers = await oneBatch(ids, step, fetching);
    for (const [place, record] of batch.entries()) {
      const answer = answers.get(ids[place] ?? '');
      const code = answer === undefined ? 0 : Number(answer[step.code] ?? 200);
      if (code !== 200) refused.set(code, (refused.get(code) ?? 0) + 1);
      enriched.push({ ...record, [step.into]: code === 200 ? answer?.[step.value] : undefined });
    }
  }
  return enriched;
}

async function oneBatch(
  ids: readonly string[],
  step: StepOf<'batch'>,
  { client, limits }: Fetching,
): Promise<Map<string, Found>> {
  const url = client.follow(step.url, client.url);
  const where = `${limits.name}: ${showUrl(url)}`;
  const body = { requests: ids.filter((one) => one !== '').map((one) => ({ [step.key]: one })) };
  return client.request({ url, method: 'POST', ...sent(body, undefined) }, async (response) => {
    const document = parseAnswer(await client.wholeOf(response, url), where);
    const answers = findRecords(document, step.records, where).filter(isRecord);
    // A person who cannot be read now would be missing from the roster.
    const busy = answers.map((answer) => Number(answer[step.code] ?? 200)).find(mayPass);
    if (busy !== undefined) throw new PassingTrouble(`${showUrl(url)} could not give everybody (${busy})`);
    return new Map(answers.map((answer) => [String(answer[step.key]), answer]));
  });
}

const mayPass = (code: number): boolean => code === 202 || code === 429 || code >= 500;
