import { type FuzzTarget, isOurs } from './target.ts';

/** Longer than reading a few kilobytes takes on a machine that is busy, ms. */
const longestWaitMs = 20_000;
/** Processor time that one input may take, ms: most take one or two. */
const longestMs = 4_000;
/** The most memory that one input may need in addition to what was needed before, in KiB. */
const mostMemory = 256 * 1024;

/** What was wrong with one input; undefined if nothing was. */
export async function tryOne({ read }: FuzzTarget, bytes: Buffer): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`it has not ended after ${longestWaitMs / 1000} s`), longestWaitMs);
  const [began, before] = [process.cpuUsage(), process.resourceUsage().maxRSS];
  const uncaught = (error: Error): void => late.resolve(`an error that nobody catches: ${error.stack}`);
  process.on('uncaughtException', uncaught);
  const reading = (async () => {
    try {
      await read(bytes);
    } catch (error) {
      if (!isOurs(error)) return `an error that is not ours: ${error instanceof Error ? error.stack : String(error)}`;
    }
    return undefined;
  })();
  const wrong = await Promise.race([reading, late.promise]);
  clearTimeout(timer);
  process.off('uncaughtException', uncaught);
  if (wrong !== undefined) return wrong;
  const { user } = process.cpuUsage(began);
  if (user > longestMs * 1000) return `it took ${Math.round(user / 1000)} ms of processor time`;
  const more = process.resourceUsage().maxRSS - before;
  if (more > mostMemory) return `it took ${Math.round(more / 1024)} MiB of memory`;
  for (const name in {}) return `every object has ${name} now`;
  return undefined;
}

/** The same kind of fault has the same name, whatever the input. */
export const kindOf = (wrong: string): string =>
  wrong
    .split('\n')
    .slice(0, 3)
    .join('\n')
    .replaceAll(/\d+|"[^"]*"/g, '…')
    .slice(0, 400);

/** A shorter input that is wrong in the same way. Takes at most some hundred tries. */
export async function shorten(target: FuzzTarget, bytes: Buffer, wrong: string): Promise<Buffer> {
  let [best, left] = [bytes, 400];
  // A fault of time or memory may show only once, and trying it takes long.
  if (!wrong.startsWith('an error')) return best;
  for (let size = Math.ceil(best.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && left > 0; left -= 1) {
      const shorter = Buffer.concat([best.subarray(0, at), best.subarray(at + size)]);
      const still = await tryOne(target, shorter);
      if (still !== undefined && kindOf(still) === kindOf(wrong)) best = shorter;
      else at += size;
    }
  }
  return best;
}
