// Gives a file of a source that is kept in the ledger what was decided the last time, to be checked and changed.
import { readKeptMapping } from '../../config/kept-source.ts';
import type { SourceRunContext } from '../../jobs/run/run-source.ts';
import { fitsForm } from '../core/mapping/column-uses.ts';
import { InputError, NotNowError } from '../core/errors.ts';
import { say } from '../core/words/say.ts';
import { isRejectsHeader } from '../core/rows/row.ts';
import { isFromConfig, learnKeptSources } from '../wiring/kept-sources.ts';
import { type KeptUpload, sourceNameFor } from './kept-uploads.ts';
import { columnsOfUpload, mappingOfUpload, withUpload } from './open-upload.ts';
import type { RecognisedUpload } from './recognise-rejects.ts';
import { settleRules } from './understand.ts';
import { filtersOf } from './upload-filters.ts';

/**
 * The upload with the mapping of its source: the chosen one, else that of its file's name. Undefined where none is kept, or
 * its mapping does not fit the file or the form; a source that was chosen is then planned by its rules all the same.
 */
export async function asLastTime(
  context: Pick<SourceRunContext, 'config' | 'ledger' | 'log'>,
  upload: KeptUpload,
  chosen: string,
): Promise<RecognisedUpload | undefined> {
  const source = chosen === '' ? sourceNameFor(upload.name, []) : chosen;
  const kept = (await learnKeptSources(context)).find(({ name }) => name === source);
  const otherwise = chosen === '' ? undefined : { upload, source };
  if (!kept || isFromConfig(context.config, source)) return otherwise;
  const mapping = readKeptMapping(kept.block);
  if (!mapping?.members || !mapping.groups) return otherwise;
  const origin = `This is read as the last file of ${source} was. What you change here is remembered.`;
  const given = { ...upload, source, mapping, remember: true, basis: { source, block: kept.block }, origin };
  if (!(await fits(given, chosen !== ''))) return otherwise;
  // A filter that somebody unticks can be ticked again.
  return { upload: { ...given, offered: filtersOf(given).map(({ kind, rule }) => ({ kind, rule })) } };
}

/** @throws NotNowError when the settings that a file would change were changed since it was brought: it has the old ones */
export function refuseKeptMeanwhile({ source, basis }: KeptUpload, kept: { block: string } | undefined): void {
  if (basis?.source === source && kept?.block !== basis.block)
    throw new NotNowError(say('keptMeanwhile', 1, { source }));
}

async function fits(upload: KeptUpload, isChosen: boolean): Promise<boolean> {
  try {
    return await withUpload(upload, (roster) => {
      // Rejects belong to the run that they name.
      if (!isChosen && isRejectsHeader(roster.form.header)) return false;
      const rules = mappingOfUpload(upload);
      const filters = filtersOf(upload).map(({ rule }) => rule);
      const header = roster.form.header.map((name) => name.trim());
      const settled = settleRules(roster, columnsOfUpload(upload));
      if ('problem' in settled || !fitsForm(header, rules, filters)) return false;
      // A field that is only recognised is none on the form.
      const { fields } = settled;
      return (['telephone', 'employeeId'] as const).every(
        (field) => rules.members?.[field] !== undefined || !fields[field],
      );
    });
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}
