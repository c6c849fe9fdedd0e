// Creates the logger: no secrets, masked addresses, no control characters.
import { pino, type Logger } from 'pino';
import { escapeJson, escapeText, cutText } from '../core/text/format.ts';
import { maskAddresses } from '../core/person/mask.ts';
import type { Redact } from '../core/secrets/secret.ts';

export type { Logger } from 'pino';

/** Where lines go: a terminal gets text, anything else JSON. */
export interface LogStream {
  write(text: string): unknown;
  isTTY?: boolean;
}

export interface LoggerOptions {
  /** `--quiet`: errors only. */
  quiet?: boolean;
  /** `--verbose`: also what helps to find a fault. */
  verbose?: boolean;
  /** Standard error unless given. */
  stream?: LogStream;
  /** Takes secrets out of every line, see `redactor`. */
  redact?: Redact;
}

/** As much of a text as is logged; a stack and its causes are the longest that help anybody. */
const longestText = 8000;
const longestKey = 200;
/** What the logger itself writes: never taken for a secret. */
const own = new Set(['level', 'time', 'pid']);

/**
 * Makes the program's logger: one JSON object per line, or one line of text on a terminal. Whatever is logged,
 * secrets and most of each e-mail address are masked in every value, long texts are cut, and control and bidirectional
 * characters are escaped. Lines are written at once, so nothing has to be flushed at the end.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { quiet = false, verbose = false, stream = process.stderr, redact = (text) => text } = options;
  const write = (line: string): void => {
    const safe = withoutSecrets(JSON.parse(line) as Line, redact);
    stream.write(stream.isTTY ? toText(safe) : `${escapeJson(JSON.stringify(safe))}\n`);
  };
  return pino(
    {
      level: quiet ? 'error' : verbose ? 'debug' : 'info',
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
}

interface Line {
  level: string;
  time: string;
  pid: number;
  msg?: string;
  err?: { stack?: string };
}

/** The line with every text in it masked. Keys are words of ours: of them only addresses are. */
function withoutSecrets(line: Line, redact: Redact): Line {
  const cleanText = (text: string): string => {
    const isCut = text.length > longestText;
    return maskAddresses(redact(isCut ? text.slice(0, longestText) : text, isCut)) + (isCut ? '…' : '');
  };
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return cleanText(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [cleanKey(key), clean(inner)]));
  };
  const entries = Object.entries<unknown>({ ...line }).map(([key, value]): [string, unknown] => [
    cleanKey(key),
    own.has(key) ? value : clean(value),
  ]);
  return { level: line.level, time: line.time, pid: line.pid, ...Object.fromEntries(entries) };
}

function cleanKey(key: string): string {
  return maskAddresses(cutText(key, longestKey));
}

/** A line for people: the local time, what is worse than information by name, the message, and its data. */
function toText(line: Line): string {
  const { level, time, pid: _, msg = '', err, ...data } = line;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const details = Object.entries<unknown>(data).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const text = [clock, ...(level === 'info' ? [] : [`${level}:`]), msg, ...details].join(' ');
  const stack = err?.stack?.split('\n').map((frame) => `\n  ${escapeText(frame)}`) ?? [];
  return `${escapeText(text)}${stack.join('')}\n`;
}
