// Recognises a file of rejects that somebody corrected, and gives it the source and the mapping of its run.
import { UploadMapping, type WrittenMapping } from '../../config/source-schema.ts';
import type { SourceRunContext } from '../../jobs/run/run-source.ts';
import { quote } from '../core/text/format.ts';
import { isRejectsHeader } from '../core/rows/row.ts';
import type { Run } from '../ledger/runs/runs.ts';
import { runOfRejects } from '../roster/files/rejects-file.ts';
import type { RosterFile } from '../roster/open-roster.ts';
import { isFromConfig, learnKeptSources } from '../wiring/kept-sources.ts';
import type { KeptUpload } from './kept-uploads.ts';
import { withUpload } from './open-upload.ts';

export interface RecognisedUpload {
  /** With the source and the mapping of the run that it names, and a sentence about both. */
  upload: KeptUpload;
  /** The source of the config, or one kept in the ledger, by whose rules it is planned instead. */
  source?: string;
}

type RecogniseContext = Pick<SourceRunContext, 'config' | 'ledger' | 'log'>;

/**
 * Gives a corrected file of rejects the source and the mapping of its run. What the file says decides about nothing else:
 * it is checked, planned and held like every other upload.
 * @throws InputError when it cannot be read
 */
export const recogniseRejects = (
  context: RecogniseContext,
  upload: KeptUpload,
  signal?: AbortSignal,
): Promise<RecognisedUpload> => withUpload(upload, (roster) => recognise(context, upload, roster), signal);

async function recognise(context: RecogniseContext, upload: KeptUpload, roster: RosterFile): Promise<RecognisedUpload> {
  if (!isRejectsHeader(roster.form.header)) return { upload };
  const named = await runOfRejects(roster);
  const run = await findRun(context, named);
  if (!run) {
    const of =
      named === '' ? 'does not say of which run' : `names run ${quote(named.slice(0, 40))}, which is not known here`;
    return {
      upload: { ...upload, origin: `This is a file of rejects, but it ${of}. It is read as a new kind of file.` },
    };
  }
  const { source } = run;
  if (isFromConfig(context.config, source)) return { upload, source };
  const mapping = mappingFor(roster, run.roster?.mapping);
  if (mapping) {
    const first = run.status === 'held' ? ' The others of that file still wait until somebody confirms them.' : '';
    const origin = `These are rejects of run ${run.id} of ${source}. They are read with the mapping of that run.${first}`;
    return { upload: { ...upload, source, mapping, origin } };
  }
  await learnKeptSources(context);
  if (Object.hasOwn(context.config.sources, source)) return { upload, source };
  const origin = `These are rejects of run ${run.id} of ${source}, but its mapping is not kept. The file is read as a new kind of file.`;
  return { upload: { ...upload, source, origin } };
}

/** A spreadsheet takes an id of digits for a number, and its leading zeros away. */
async function findRun({ ledger }: Pick<RecogniseContext, 'ledger'>, named: string): Promise<Run | undefined> {
  const id = /^\d{1,7}$/.test(named) ? named.padStart(8, '0') : named;
  const [run] = id === '' ? [] : await ledger.findRuns(id);
  return run?.id === id ? run : undefined;
}

/** The mapping of a run for a file that a spreadsheet may have saved in another way than it was written. */
function mappingFor({ form }: RosterFile, kept: object | undefined): WrittenMapping | undefined {
  const parsed = UploadMapping.safeParse(kept);
  if (!kept || !parsed.success) return undefined;
  const { read = {}, ...mapping }: WrittenMapping = kept;
  // Where the bytes show the encoding they are right; elsewhere somebody may have chosen it by eye.
  const isSure = /^utf/i.test(form.encoding);
  return { ...mapping, ...(!isSure && read.encoding !== undefined && { read: { encoding: read.encoding } }) };
}
