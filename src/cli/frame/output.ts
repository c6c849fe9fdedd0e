// The only writer to stdout and stderr.
import { once } from 'node:events';
import { escapeJson } from '../../core/text/format.ts';
import type { Content, DocumentName } from '../../acts/shapes/documents.ts';
import { withVersion } from '../../acts/shapes/version.ts';
import type { Style } from '../../report/terminal/style.ts';

export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; columns?: number };

export interface OutputOptions {
  stdout: OutputStream;
  stderr: OutputStream;
  /** `--json`: stdout holds one JSON document and nothing else. */
  json: boolean;
  /** `--quiet`: results and errors only. */
  quiet: boolean;
  color: boolean;
}

export type Output = ReturnType<typeof createOutput>;

export function sayWaiting({ note }: Pick<Output, 'note'>): (what: string, ms: number) => void {
  return (what, ms) => note(`${what} (${Math.ceil(ms / 1000)} s)`);
}

/** The width of lines without a terminal. */
const widthElsewhere = 120;

/** On a terminal that can, unless `NO_COLOR` is set and not empty (no-color.org). */
export function wantsColor(stream: OutputStream, env: { noColor?: string; term?: string }): boolean {
  return stream.isTTY === true && !env.noColor && env.term !== 'dumb';
}

/** A reader that goes away is no error: what is written then is dropped, and the exit code stays. */
export function createOutput({ stdout, stderr, json, quiet, color }: OutputOptions) {
  const out = writerOf(stdout);
  const err = writerOf(stderr);
  const forPeople = json ? err : out;
  // Some terminals, such as those of containers, say that they have no column at all.
  const width = (json ? stderr : stdout).columns || widthElsewhere;
  const style: Style = { color, width };
  return {
    /** How texts for `print` are to look. */
    style,
    quiet,
    /** Aborted once nobody reads stdout any more (`| head`): what only prints may stop. */
    closed: out.closed,
    print: (text: string) => forPeople.write(`${text}\n`),
    /** A remark besides the result, on stderr; nothing when quiet. */
    note: (text: string) => {
      if (!quiet) err.write(`${text}\n`);
    },
    /** What went wrong, on stderr, quiet or not. */
    problem: (text: string) => err.write(`${text}\n`),
    json: <Name extends DocumentName>(_: Name, content: Content<Name>) =>
      out.write(`${escapeJson(JSON.stringify(withVersion(content), null, 2))}\n`),
    /** No faster than it is read; escaped on a terminal. Resolves with false when the reader went away. */
    data: out.data,
    /** Resolves when all that was written has left the process, or can no longer. */
    flush: async () => {
      await Promise.all([out.flush(), err.flush()]);
    },
  };
}

function writerOf(stream: OutputStream) {
  const gone = new AbortController();
  const { signal }: { signal: AbortSignal } = gone;
  stream.on('error', () => gone.abort());
  return {
    closed: signal,
    write: (text: string) => {
      if (!signal.aborted) stream.write(text);
    },
    data: async (parts: AsyncIterable<string | Uint8Array>) => {
      const decoder = new TextDecoder();
      for await (const part of parts) {
        if (signal.aborted) return false;
        const text = typeof part === 'string' || stream.isTTY !== true ? part : decoder.decode(part, { stream: true });
        // A part in bytes may be valid only until the next one is asked for.
        const shown = typeof text === 'string' ? (stream.isTTY === true ? escapeJson(text) : text) : Buffer.from(text);
        // It takes more, or never will.
        if (!stream.write(shown)) await once(stream, 'drain', { signal }).catch(() => {});
      }
      return !signal.aborted;
    },
    flush: () => (signal.aborted ? Promise.resolve() : new Promise<void>((done) => stream.write('', () => done()))),
  };
}
