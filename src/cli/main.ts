// The program's entry point: runs the command line.
import { keepHeapSmall } from '../process/heap.ts';
import { explain } from './frame/explain.ts';
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
  process.exitCode = explain(error);
}
