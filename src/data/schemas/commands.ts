// What the files of commands say: the commands of the command line, with their arguments and flags.
import { z } from 'zod';

const says = z.string().describe('What the help says about it.');

export const Flag = z.strictObject({
  says,
  default: z.string().exactOptional(),
  isRequired: z.literal(true).exactOptional(),
  as: z
    .enum(['list', 'columns', 'groups'])
    .exactOptional()
    .describe('It may be repeated: its values become a list, or pairs of field and column, or of code and group.'),
  of: z
    .enum([
      'actions',
      'answerFormats',
      'completion',
      'formats',
      'guards',
      'kinds',
      'roles',
      'scopes',
      'sources',
      'splits',
    ])
    .exactOptional()
    .describe('What its values are, for completion in shells.'),
});
export type Flag = z.infer<typeof Flag>;

const Flags = z
  .array(z.union([z.string(), z.record(z.string(), z.union([z.string(), Flag]))]))
  .describe('In the order of the help: flags with what the help says, and names of `shared` for the flags there.');
export type Flags = z.infer<typeof Flags>;

const Command = z.strictObject({
  says,
  does: z
    .string()
    .exactOptional()
    .describe('The file of `src/cli/commands` and the name of its export; without it, it only has commands below it.'),
  arguments: z.record(z.string(), z.string()).exactOptional(),
  options: Flags.exactOptional(),
  json: z.string().exactOptional().describe('Its JSON document: the name of a schema in `docs/schemas`.'),
  examples: z.string().exactOptional(),
  below: z.string().exactOptional().describe('What else the help says, after the examples.'),
});
export type Command = z.infer<typeof Command>;

const Shared = z.record(
  z.string(),
  z.strictObject({ heading: z.string().exactOptional().describe('Above them in the help.'), options: Flags }),
);
export type Shared = z.infer<typeof Shared>;

export const Commands = z.strictObject({
  heading: z.string().exactOptional().describe('Above these commands in the help.'),
  commands: z.record(z.string(), Command).exactOptional(),
  shared: Shared.exactOptional().describe('Flags that several commands have.'),
});
export type Commands = z.infer<typeof Commands>;
