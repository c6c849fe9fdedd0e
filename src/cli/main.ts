// The program's entry point: runs the command line.
import { keepHeapSmall } from '../process/heap.ts';
import { explain } from './frame/explain.ts';
import { createProgram } from './program.ts';

// The reader may stop reading (`| head`); commands have an ending of their own for that, `--help` has not.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') throw new Error(`standard output: ${code}`);
});

keepHeapSmall();
try {
  const program = createProgram();
  program.hook('preAction', async (_, command) => (await import('./frame/load-ahead.ts')).loadAhead(command));
  await program.parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}
