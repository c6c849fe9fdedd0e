// The only writer to stdout and stderr.
import { once } from 'node:events';
import { escapeJson } from '../../core/text/escape.ts';
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

export interface Output {
  /** How texts for `print` are to look. */
  readonly style: Style;
  readonly quiet: boolean;
  /** Aborted once nobody reads stdout any more (`| head`): what only prints may stop. */
  readonly closed: AbortSignal;
  print: (text: string) => void;
  /** A remark besides the result, on stderr; nothing when quiet. */
  note: (text: string) => void;
  /** What went wrong, on stderr, quiet or not. */
  problem: (text: string) => void;
  json: <Name extends DocumentName>(name: Name, content: Content<Name>) => void;
  /** No faster than it is read; escaped on a terminal. Resolves with false when the reader went away. */
  data: (parts: AsyncIterable<string | Uint8Array>) => Promise<boolean>;
  /** Resolves when all that was written has left the process, or can no longer. */
  flush: () => Promise<void>;
}

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
export function createOutput({ stdout, stderr, json, quiet, color }: OutputOptions): Output {
  const out = writerOf(stdout);
  const err = writerOf(stderr);
  const forPeople = json ? err : out;
  // Some terminals, such as those of containers, say that they have no column at all.
  const width = (json ? stderr : stdout).columns || widthElsewhere;
  return {
    style: { color, width },
    quiet,
    closed: out.closed,
    print: (text) => forPeople.write(`${text}\n`),
    note: (text) => {
      if (!quiet) err.write(`${text}\n`);
    },
    problem: (text) => err.write(`${text}\n`),
    json: (_, content) => out.write(`${escapeJson(JSON.stringify(withVersion(content), null, 2))}\n`),
    data: (parts) => out.data(parts),
    flush: async () => {
      await Promise.all([out.flush(), err.flush()]);
    },
  };
}

interface Writer {
  closed: AbortSignal;
  write: (text: string) => void;
  data: (parts: AsyncIterable<string | Uint8Array>) => Promise<boolean>;
  flush: () => Promise<void>;
}

function writerOf(stream: OutputStream): Writer {
  const gone = new AbortController();
  stream.on('error', () => gone.abort());
  return {
    closed: gone.signal,
    write: (text) => {
      if (!gone.signal.aborted) stream.write(text);
    },
    data: async (parts) => {
      const decoder = new TextDecoder();
      for await (const part of parts) {
        if (gone.signal.aborted) return false;
        const text = typeof part === 'string' || stream.isTTY !== true ? part : decoder.decode(part, { stream: true });
        // A part in bytes may be valid only until the next one is asked for.
        const shown = typeof text === 'string' ? (stream.isTTY === true ? escapeJson(text) : text) : Buffer.from(text);
        // It takes more, or never will.
        if (!stream.write(shown)) await once(stream, 'drain', { signal: gone.signal }).catch(() => {});
      }
      return !gone.signal.aborted;
    },
    flush: () => (gone.signal.aborted ? Promise.resolve() : new Promise((done) => stream.write('', () => done()))),
  };
}
