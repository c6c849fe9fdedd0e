import { PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { explain } from '../../src/cli/frame/explain.ts';
import { createProgram } from '../../src/cli/program.ts';
import { openContext } from '../../src/wiring/context.ts';
import { checkDocument } from './documents.ts';
import { keepEmbeddedCode } from './embedded-code.ts';

/** How a command ended, and all that it said. */
export interface Ended {
  /** The exit code; null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** Both, in the order in which it came. */
  said: string;
}

let isRunning = false;

/**
 * Runs a command of a place in this process, which takes a tenth of the time of one of its own. Meanwhile folder,
 * environment, input (which is empty) and output of this process are the command's: one command at a time, or it throws.
 */
export async function runHere(
  place: { folder: string; env: Record<string, string>; openContext?: typeof openContext },
  ...words: string[]
): Promise<Ended> {
  if (isRunning) throw new Error(`another command runs here: start a process for \`${words.join(' ')}\``);
  isRunning = true;
  await keepEmbeddedCode();
  const cwd = process.cwd();
  const { env } = process;
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const said = { stdout: '', stderr: '', said: '' };
  for (const name of ['stdout', 'stderr'] as const)
    streams[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      said.said += text;
    });
  const before = Object.entries({ ...streams, stdin: Readable.from([]) }).map(([name, value]) => {
    const own = Object.getOwnPropertyDescriptor(process, name);
    Object.defineProperty(process, name, { value, configurable: true });
    return [name, own] as const;
  });
  const umask = process.umask();
  process.chdir(place.folder);
  const zone = env['TZ'];
  setZone(env, place.env['TZ']);
  process.env = { ...place.env };
  try {
    process.exitCode = 0;
    await createProgram({ openContext: place.openContext ?? openContext })
      .parseAsync(words, { from: 'user' })
      .catch((error: unknown) => {
        process.exitCode = explain(error);
      });
    for (const stream of Object.values(streams)) stream.end();
    await Promise.all(Object.values(streams).map((stream) => finished(stream)));
    const ended = { code: process.exitCode, signal: null, ...said };
    checkDocument(words, ended.stdout);
    return ended;
  } finally {
    for (const [name, own] of before) if (own) Object.defineProperty(process, name, own);
    process.exitCode = 0;
    process.env = env;
    setZone(env, zone);
    process.umask(umask);
    process.chdir(cwd);
    isRunning = false;
  }
}

/** Only in the environment that the process began with does it change what time it is here. */
function setZone(env: NodeJS.ProcessEnv, zone: string | undefined): void {
  if (zone === undefined) delete env['TZ'];
  else env['TZ'] = zone;
}
