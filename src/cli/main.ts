// The program's entry point: runs the command line.
import { CommanderError } from 'commander';
import { keepHeapSmall } from '../process/heap.ts';
import { createProgram } from './program.ts';

// The reader may stop reading (`| head`), and a terminal be closed (EIO). Anything else loses what was to be shown.
let isLost = false;
process.stdout.on('error', ({ code = '', message }: NodeJS.ErrnoException) => {
  if (isLost || code === 'EPIPE' || code === 'EIO') return;
  isLost = true;
  process.stderr.write(`Standard output cannot be written (${message}): make room, then run the command again.\n`);
});
process.once('exit', () => {
  if (isLost) process.exitCode ||= 1;
});

keepHeapSmall();
try {
  const program = createProgram();
  program.hook('preAction', async (_, command) => (await import('./frame/load-ahead.ts')).loadAhead(command));
  await program.parseAsync();
} catch (error) {
  // --help and --version end in an error too, and need none of the words.
  const isTold = error instanceof CommanderError && error.exitCode === 0;
  process.exitCode = isTold ? 0 : (await import('./frame/explain.ts')).explain(error);
}
