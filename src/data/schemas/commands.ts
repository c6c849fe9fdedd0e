// What the files of commands say: the commands of the command line, with their arguments and flags.
import { z } from 'zod';
import { strictObject } from '../described.ts';

const completed = [
  ...(['actions', 'answerFormats', 'completion', 'formats', 'guards', 'kinds', 'roles', 'scopes', 'sources'] as const),
  'splits',
] as const;

export const Flag = strictObject('Flag', {
  says: z.string(),
  default: z.string().exactOptional(),
  isRequired: z.literal(true).exactOptional(),
  as: z.enum(['list', 'columns', 'groups']).exactOptional(),
  of: z.enum(completed).exactOptional(),
});
export type Flag = z.infer<typeof Flag>;

const Flags = z.array(z.union([z.string(), z.record(z.string(), z.union([z.string(), Flag]))]));
export type Flags = z.infer<typeof Flags>;

const Command = strictObject('Command', {
  says: z.string(),
  does: z.string().exactOptional(),
  arguments: z.record(z.string(), z.string()).exactOptional(),
  options: Flags.exactOptional(),
  json: z.string().exactOptional(),
  examples: z.string().exactOptional(),
  below: z.string().exactOptional(),
});
export type Command = z.infer<typeof Command>;

const Shared = z.record(
  z.string(),
  strictObject('SharedFlags', { heading: z.string().exactOptional(), options: Flags }),
);
export type Shared = z.infer<typeof Shared>;

export const Commands = strictObject('Commands', {
  heading: z.string().exactOptional(),
  commands: z.record(z.string(), Command).exactOptional(),
  shared: Shared.exactOptional(),
});
export type Commands = z.infer<typeof Commands>;
