// The scripts that let shells ask roster-sync what may come next: `completion.bash` and its like.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** The name of the hidden command, as the scripts call it. */
export const completeCommand = '__complete';
/** The line after which names of files may follow, as the scripts have it. */
export const filesLine = ':files';

export const scriptOf = (shell: Shell): string =>
  readFileSync(join(import.meta.dirname, `completion.${shell}`), 'utf8');
