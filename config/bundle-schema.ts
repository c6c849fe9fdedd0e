// The schema of `src/data/bundles`: how each known bundle is recognised, and how its files belong together.
import { z } from 'zod';
import { People, Step, Way } from './read-schema.ts';
import { column, list, text } from './values.ts';

const files = () => list(text(), 'files');

const Known = z.strictObject({
  columns: list(column(), 'columns').describe('Columns that the first file of people must have.'),
  files: files().exactOptional().describe('Files of which one must be there.'),
  without: files().exactOptional().describe('Files that must not be there.'),
});

const BundlePeople = People.extend({
  columns: z
    .record(z.string(), list(Way.extend({ steps: z.array(Step) }), 'ways'))
    .describe(
      'New columns, each with the ways that lead to its values; without a step, those of the person’s own row.',
    ),
  addresses: z
    .strictObject({ column: column(), from: column() })
    .exactOptional()
    .describe(
      'The column of e-mail addresses, which is added where it is missing, and one that gives the address where it is empty.',
    ),
});

export const Bundle = z.strictObject({
  name: text().describe('What people call it.'),
  known: list(Known, 'signs').describe('By what it is recognised: one of these.'),
  manifest: text()
    .exactOptional()
    .describe('The file that says about the others whether they are whole, as that of OneRoster.'),
  people: list(BundlePeople, 'files of people').describe('Files of people; those behind the first may be missing.'),
});
export type Bundle = z.output<typeof Bundle>;
