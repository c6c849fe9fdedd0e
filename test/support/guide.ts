import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Place, Running } from './cli.ts';

const folder = join(import.meta.dirname, '../../docs/guides');
/** A block of a page: its language, the file that it is (```` ```csv people.csv ````), and its text. */
const blocks = /^```(\w+)(?: (\S+))?\n(.*?)^```$/gms;
/** A command, which `\` continues on the next line, and what it prints: all up to the next one or the end. */
const commands = /^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)/gm;

/** What a page calls the servers of a test: `{ [sandbox.url]: 'https://service.example.com' }`. */
export type Names = Record<string, string>;

/**
 * Does what a guide says: writes its files and runs the commands of its `console` blocks, each of which must print what
 * the page shows. A line `…` stands for lines left out; `serve` goes on to the end of the page. With GUIDES=write in the
 * environment, the page is given what was printed.
 */
export async function followGuide(page: string, place: Place, names: Names = {}): Promise<void> {
  const path = join(folder, page);
  const text = readFileSync(path, 'utf8');
  const shell = new GuideShell(place, names);
  let [written, at] = ['', 0];
  try {
    for (const { 0: block, 1: language, 2: name, 3: body = '', index } of text.matchAll(blocks)) {
      if (name !== undefined) shell.write(name, body);
      if (language !== 'console') continue;
      const start = index + block.indexOf('\n') + 1;
      for (const { 0: all, 1: command = '', 2: shown = '', index: offset } of body.matchAll(commands)) {
        const said = await shell.run(command);
        if (isSaid(shown, said)) continue;
        if (process.env['GUIDES'] !== 'write') assert.equal(alike(said), alike(shown), `${page}: $ ${command}`);
        written += `${text.slice(at, start + offset)}$ ${command}\n${said.trimEnd()}\n`;
        at = start + offset + all.length;
      }
    }
  } finally {
    await shell.close();
  }
  if (at > 0) writeFileSync(path, written + text.slice(at));
}

/** Runs commands in a place, in the words of a page. */
class GuideShell {
  readonly #place: Place;
  readonly #names: Names;
  readonly #servers: Running[] = [];
  #code: number | null = 0;

  constructor(place: Place, names: Names) {
    this.#place = place;
    this.#names = { [place.folder]: '~/roster', [`${userInfo().username}@${hostname()}`]: 'you@server', ...names };
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.#place.folder, name)), { recursive: true });
    this.#place.write(name, this.#real(text));
  }

  /** Resolves with what the command printed. */
  async run(command: string): Promise<string> {
    const line = this.#real(command.replaceAll(/\\\n\s*/g, ''));
    if (line === 'echo $?') return `${this.#code}\n`;
    const said = line.startsWith('roster-sync ') ? await this.#start(wordsOf(line).slice(1)) : this.#shell(line);
    return Object.entries(this.#names).reduce((text, [real, name]) => text.replaceAll(real, name), said);
  }

  async close(): Promise<void> {
    for (const { child, ended } of this.#servers) {
      child.kill('SIGTERM');
      await ended;
    }
  }

  async #start(words: readonly string[]): Promise<string> {
    if (words[0] === 'serve') {
      const server = await this.#place.start([...words, '--port', '0']);
      this.#servers.push(server);
      await server.until(/Serving on \S+/);
      const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(server.said()) ?? [];
      this.#names[url] = 'http://127.0.0.1:8080';
      return server.said();
    }
    const { code, said } = await this.#place.run(...words);
    this.#code = code;
    const [token] = /^rstk_\S+/m.exec(said) ?? [];
    if (token !== undefined) {
      this.#names[token] = 'rstk_…';
      this.#place.env['SCIM_TOKEN'] = token;
    }
    return said;
  }

  #shell(line: string): string {
    const { folder: cwd, env } = this.#place;
    const { stdout, stderr, status } = spawnSync('sh', ['-c', line], { cwd, env, encoding: 'utf8' });
    assert.equal(status, 0, `${line}: ${stderr}`);
    return stdout + stderr;
  }

  #real(text: string): string {
    return Object.entries(this.#names).reduce((all, [real, name]) => all.replaceAll(name, real), text);
  }
}

/** The words of a command, as a shell takes them. */
export const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/["']/g, ''));

function isSaid(shown: string, said: string): boolean {
  const parts = alike(shown).split(/^…$/m);
  const patterns = parts.map((part) => part.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${patterns.join(String.raw`[\s\S]*`)}$`).test(alike(said));
}

/** Without what differs from run to run: ids, times, durations, rates, and the spaces that they move. */
const alike = (text: string): string =>
  text
    .replaceAll(/\b(?:[0-9a-f]{12}|[0-9a-f]{8})\b/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'TIME')
    .replaceAll(/\b[\d.]+ (?:ms|s|min)\b/g, 'DURATION')
    .replaceAll(/\b[\d.]+\/(?:s|min)\b/g, 'RATE')
    .replaceAll(/^Send .* left\n/gm, '')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ $/gm, '')
    .trim();
