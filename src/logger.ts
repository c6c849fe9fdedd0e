import { pino, type Logger } from 'pino';
import { escapeJson, escapeText } from './core/escape.ts';
import type { Redact } from './core/secret.ts';

export type { Logger } from 'pino';

/** Where lines go: a terminal gets text, anything else JSON. */
export interface LogStream {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** What is logged, where, and what is taken out of it. */
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

/**
 * Makes the program's logger: one JSON object per line, or one line of text on a terminal. Whatever is logged,
 * secrets and most of each e-mail address are masked, and control and bidirectional characters are escaped.
 * Lines are written at once, so nothing has to be flushed at the end.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const { quiet = false, verbose = false, stream = process.stderr, redact = (text) => text } = options;
  const write = (line: string): void => {
    const safe = maskAddresses(redact(line));
    stream.write(stream.isTTY ? toText(safe) : escapeJson(safe));
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

/**
 * A JSON escape, which must stay whole; or the first character of an address, the rest before its `@`
 * (or that URL-encoded), and the `@` where a domain follows.
 */
const address = /\\(?:u[\da-f]{4}|.)|([^\s@"<>(),;:\\])(?:[^\s@"<>(),;:\\%]|%(?!40))*(@|%40)(?=[\p{L}\p{N}[])/giu;

/** `jane@example.com` becomes `j***@example.com`. */
function maskAddresses(json: string): string {
  return json.replaceAll(address, (whole, first?: string, at?: string) => (first && at ? `${first}***${at}` : whole));
}

interface Line {
  level: string;
  time: string;
  pid: number;
  msg?: string;
  err?: { stack?: string };
}

/** A line for people: the local time, what is worse than information by name, the message, and its data. */
function toText(json: string): string {
  const { level, time, pid: _, msg = '', err, ...data } = parseLine(json);
  const clock = new Date(time).toTimeString().slice(0, 8);
  const details = Object.entries<unknown>(data).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const line = [clock, ...(level === 'info' ? [] : [`${level}:`]), msg, ...details].join(' ');
  const stack = err?.stack?.split('\n').map((frame) => `\n  ${escapeText(frame)}`) ?? [];
  return `${escapeText(line)}${stack.join('')}\n`;
}

function parseLine(json: string): Line {
  try {
    return JSON.parse(json) as Line;
  } catch {
    // A secret that ended an escape took half of it along.
    return { level: 'info', time: new Date().toISOString(), pid: process.pid, msg: json.trimEnd() };
  }
}
