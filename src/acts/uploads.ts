// The acts about uploads, files of no known source: inspect one, plan it, change cells of it.
import { keptNameProblem, writeKeptMapping } from '../../config/kept-source.ts';
import { UploadMapping, type WrittenMapping } from '../../config/source-schema.ts';
import { defined } from '../core/defined.ts';
import { InputError, RequestError, RosterSyncError } from '../core/errors.ts';
import { type ExaminedUpload, examineUpload } from '../intake/examine-upload.ts';
import { refuseKeptMeanwhile } from '../intake/as-last-time.ts';
import { type KeptUpload, KeptUploads, UploadSent } from '../intake/kept-uploads.ts';
import { correctedWith } from '../intake/correct-upload.ts';
import { digestOf, planUpload as planKept } from '../intake/open-upload.ts';
import { recogniseRejects } from '../intake/recognise-rejects.ts';
import { tooManyRules } from '../core/mapping/patterns.ts';
import { isFromConfig } from '../wiring/kept-sources.ts';
import { act, type Asker } from './act.ts';
import { refuseLooser, keepSource } from './sources.ts';
import { askAs, planningContext } from './perform.ts';
import { type Began, starting } from './starting.ts';
import { CorrectionInput, InspectQuery, PlanUploadInput, Upload } from './shapes/sources.ts';

export const inspectUpload = act({
  id: 'uploads.inspect',
  ...starting,
  makes: {},
  takesFile: true,
  input: InspectQuery,
  output: Upload,
  async run({ context, by, hungUp }, { file: name = 'the upload' }, bytes) {
    const uploads = new KeptUploads(context);
    const added = await uploads.add({ name, by }, bytes);
    const { upload } = await recogniseRejects(context, added, hungUp).catch((error: unknown) => {
      // Of a file that cannot be read the answer says why.
      if (error instanceof InputError) return { upload: added };
      throw error;
    });
    const examined = await examineUpload(planningContext(context), upload, hungUp);
    await uploads.save(examined.upload);
    return found(examined);
  },
  audit: { none: 'nothing is planned of it yet' },
  http: { route: 'POST /uploads', operation: 'inspectUpload' },
});

/** What they plan is held, and sent once it is approved only. */
const planning = { ...starting, makes: { ...starting.makes, isNew: ({ isNew }: Planned) => isNew } };

export const planUpload = act({
  id: 'uploads.plan',
  ...planning,
  input: PlanUploadInput,
  async run(asker, { upload: named, source, mapping, remember }) {
    return inTurn(asker, named, (upload) => {
      const problem = source === undefined ? undefined : keptNameProblem(source);
      if (problem !== undefined) throw new InputError(problem);
      const wrong = wrongName(asker.context, { source: upload.source, ...defined({ source, remember }) });
      if (wrong) throw wrong;
      const changes = defined({ source, remember, mapping: mapping && checkedMapping(mapping) });
      return plan(asker, upload, changes, { action: 'plan an upload', keeps: true });
    });
  },
  http: { route: 'POST /uploads/:upload/plan', operation: 'planUpload' },
});

export const correctUpload = act({
  id: 'uploads.correct',
  ...planning,
  input: CorrectionInput,
  async run(asker, { upload: named, changes = [], column, value, ...place }) {
    const isOne = column !== undefined && value !== undefined;
    if (isOne === changes.length > 0)
      throw new InputError('Say `column` and `value`, or several `changes`. Nothing was changed.');
    return inTurn(asker, named, async (upload) => {
      const corrections = await correctedWith(upload, isOne ? [{ ...place, column, value }] : changes);
      return plan(asker, upload, { corrections }, { action: 'correct a row of an upload', keeps: false });
    });
  },
  http: { route: 'POST /uploads/:upload/corrections', operation: 'correctReject' },
});

const turns = new Map<string, Promise<unknown>>();

/** Plans an upload once what was asked of it before is done: of two changes at a time neither is lost. */
async function inTurn(asker: Asker, named: string, work: (upload: KeptUpload) => Promise<Planned>): Promise<Planned> {
  const { id } = await uploadOf(asker, named);
  const mine = Promise.allSettled([turns.get(id)]).then(async () => work(await uploadOf(asker, id)));
  turns.set(id, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(id) === mine) turns.delete(id);
  }
}

interface Planned extends Began {
  isNew: boolean;
}

/**
 * Plans an upload with changes, and keeps what came of it; why it could not be planned is kept with it, too.
 * @param how `keeps`: its source as well, where the upload says so
 */
async function plan(
  asker: Asker,
  before: KeptUpload,
  changes: Partial<KeptUpload>,
  { action, keeps }: { action: string; keeps: boolean },
): Promise<Planned> {
  const { context, by, origin } = asker;
  const uploads = new KeptUploads(context);
  const changed = { ...before, ...changes };
  const { source, mapping = {} } = changed;
  const remember = keeps && changed.remember === true;
  try {
    const kept = (await context.ledger.listKeptSources()).find(({ name }) => name === source);
    const settings = writeKeptMapping(mapping, kept?.block);
    if (remember) {
      refuseKeptMeanwhile(changed, kept);
      await refuseLooser(asker, source, settings);
    }
    const { upload, result, isNew } = await planKept(planningContext(context), changed, asker);
    // Who has changed something meanwhile plans that.
    const now = await uploads.get(before.id, by);
    await uploads.save(
      digestOf(now) === digestOf(before) ? upload : { ...now, ...changes, ...defined({ planned: upload.planned }) },
    );
    const { runId, status, reason } = result;
    if (isNew && status !== 'busy') await context.ledger.noteDeed({ by, action, runId, origin });
    if (remember && upload.problem === undefined) {
      await askAs(asker)(keepSource, { source, settings });
      await uploads.save({ ...(await uploads.get(before.id, by)), basis: { source, block: settings } });
    }
    return { run: runId, status, reason, isNew };
  } catch (error) {
    // What was sent is no upload any more.
    if (error instanceof RosterSyncError && !(error instanceof UploadSent))
      await uploads.save({ ...(await uploads.get(before.id, by)), ...changes, problem: error.message });
    throw error;
  }
}

async function uploadOf({ context, by }: Asker, named: string): Promise<KeptUpload> {
  const uploads = new KeptUploads(context);
  const [newest] = named === 'latest' ? await uploads.of(by) : [];
  return newest ?? uploads.get(named, by);
}

/** Why an upload cannot belong to the source that it names: the config has rules for that, or it cannot be kept. */
export function wrongName(
  { config }: Pick<Asker['context'], 'config'>,
  { source, remember = false }: Pick<KeptUpload, 'source' | 'remember'>,
): RosterSyncError | undefined {
  const problem = remember ? keptNameProblem(source) : undefined;
  if (problem !== undefined) return new InputError(problem);
  if (!isFromConfig(config, source)) return undefined;
  const next = 'Import the file as one of that source, or choose another name.';
  return new RequestError(409, 'NAME_TAKEN', `The config has rules for ${source}. ${next}`);
}

/** As it was written: some settings are read into other units. */
function checkedMapping(mapping: object): WrittenMapping {
  const many = tooManyRules(mapping);
  if (many !== undefined) throw new InputError(`mapping: ${many}.`);
  const parsed = UploadMapping.safeParse(mapping);
  if (parsed.success) return mapping;
  const [issue] = parsed.error.issues;
  throw new InputError(`${['mapping', ...(issue?.path ?? [])].map(String).join('.')}: ${issue?.message}.`);
}

/** What was found. Names and cells of people are no fields of the answer. */
function found({ view, upload }: ExaminedUpload): object {
  const { fileName: file, problems, origin, readNotes, rowNotes } = view;
  return {
    ...view,
    ...{ file, mapping: upload.mapping ?? {}, problems: problems.map(({ message }) => message) },
    notes: [...(origin === undefined ? [] : [origin]), ...readNotes, ...rowNotes],
  };
}
