import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';
import { checkDocument } from './documents.ts';
import { writeEmptyDataDirectory } from './empty-data-directory.ts';
import { letGoOfLedgers, openContextAgain } from './open-ledgers.ts';
import { type Ended, runHere } from './run-here.ts';
import { without } from './server-process.ts';

const bin = join(import.meta.dirname, '../../bin/roster-sync.cjs');

export type { Ended };

/** A process of the command line that runs. */
export interface Running {
  readonly child: ChildProcess;
  /** What it has said so far on both streams. */
  said(): string;
  /** Resolves once what it said matches; rejects with all of it when it ends before. */
  until(pattern: RegExp): Promise<void>;
  readonly ended: Promise<Ended>;
}

/** A folder of its own in which the command line runs, with nothing but the given environment. */
export interface Place {
  folder: string;
  /** The data directory; there from the start unless the place is `bare`. */
  data: string;
  env: Record<string, string>;
  /** Runs a command to its end: in a process of its own, or in this one where the place is `here`. */
  run(...words: string[]): Promise<Ended>;
  /** Starts the real command line in a process of its own. */
  start(words: readonly string[], options?: { stdin?: 'pipe' | 'ignore' }): Promise<Running>;
  /** Runs a command to its end in a process of its own, also where the place is `here`. */
  alone(...words: string[]): Promise<Ended>;
  /** Runs a command on a pseudo-terminal: what it says is all in `stdout`. Undefined where there is no `script`. */
  terminal(...words: string[]): Promise<Running>;
  /** Runs a command and reads the one JSON document that it must have printed; the caller says what it is. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  json<T = RunJson>(...words: string[]): Promise<{ ended: Ended; value: T }>;
  /** The same, always in a process of its own: for the moments at which calls arrive. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  jsonAlone<T = RunJson>(...words: string[]): Promise<{ ended: Ended; value: T }>;
  /** What `runs --json` prints, the newest first. */
  listRuns(): Promise<ListedRun[]>;
  /** Closes the ledger that stays open where the place is `here`. Starting a process does so as well. */
  letGo(): Promise<void>;
  write(name: string, text: string | Uint8Array): string;
  read(name: string): string;
}

/** What `import … --json` prints, as far as tests look at it. */
export interface RunJson {
  run: string;
  source: string;
  service: string;
  dryRun: boolean;
  roster: { rows: number; members: number; merged: number; filtered: number; rejects: number; erased?: number };
  plan: Record<'new' | 'changed' | 'again' | 'unchanged' | 'later' | 'departed' | 'leftBehind', number>;
  outcome: Record<'succeeded' | 'partial' | 'failed' | 'unknown' | 'superseded' | 'cancelled', number>;
  groups: { group: string; calls: number; inserts: number; warnings: number; failures: number }[];
  inserts: number;
  warnings: number;
  calls: number;
  durationMs: number;
  status: string;
}

/** A run as `runs --json` lists it, as far as tests look at it. */
export interface ListedRun {
  run: string;
  source: string;
  status: string;
  startedAt: string;
}

const folders: string[] = [];
const running = new Set<ChildProcess>();
afterFile(() => {
  for (const child of running) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-cli-'));
  folders.push(folder);
  return folder;
}

/**
 * Makes a place. Its data directory is a copy of one where nobody is known yet; a `bare` place has none. Where it is
 * `here`, what only has to run to its end does so in this process, one command at a time, for a fraction of the time, and its
 * ledger stays open from one to the next: `letGo` of it before you open or read its files.
 * @param env all of the environment besides PATH and HOME
 */
export async function openPlace(
  env: Record<string, string>,
  options: { bare?: boolean; here?: boolean } = {},
): Promise<Place> {
  const folder = newFolder();
  const data = join(folder, '.roster-sync');
  if (!options.bare) await writeEmptyDataDirectory(data);
  const place: Place = {
    folder,
    data,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, TZ: 'UTC', ...env },
    run: (...words) =>
      options.here ? runHere({ ...place, openContext: openContextAgain }, ...words) : place.alone(...words),
    async start(words, { stdin = 'ignore' } = {}) {
      await letGoOfLedgers();
      return watch(
        spawn(process.execPath, [bin, ...words], { cwd: folder, env: place.env, stdio: [stdin, 'pipe', 'pipe'] }),
      );
    },
    async alone(...words) {
      const ended = await (await place.start(words)).ended;
      if (ended.signal === null) checkDocument(words, ended.stdout);
      return ended;
    },
    async terminal(...words) {
      await letGoOfLedgers();
      const command = [process.execPath, bin, ...words].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
      const args = ['--quiet', '--return', '--command', `stty cols 120; exec ${command.join(' ')}`, '/dev/null'];
      const env = { ...place.env, TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '1' };
      return watch(spawn('script', args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] }));
    },
    json: async (...words) => jsonOf(await place.run(...words, '--json')),
    jsonAlone: async (...words) => jsonOf(await place.alone(...words, '--json')),
    async listRuns() {
      const { stdout } = await place.run('runs', '--json');
      return (JSON.parse(stdout) as { runs: ListedRun[] }).runs;
    },
    letGo: letGoOfLedgers,
    write(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
  };
  return place;
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function jsonOf<T>(ended: Ended): { ended: Ended; value: T } {
  try {
    return { ended, value: JSON.parse(ended.stdout) };
  } catch {
    throw new Error(`no JSON (exit ${ended.code}):\n${ended.stdout}\n${ended.stderr}`);
  }
}

function watch(child: ChildProcess): Running {
  running.add(child);
  let stdout = '';
  let stderr = '';
  const waiting = new Set<() => void>();
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const look of waiting) look();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, stdout, stderr, said: stdout + stderr });
    });
  });
  return {
    child,
    ended,
    said: () => stdout + stderr,
    until: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!pattern.test(stdout + stderr)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        ended.then(
          () => reject(new Error(`it ended before it said ${String(pattern)}:\n${stdout}\n${stderr}`)),
          reject,
        );
      }),
  };
}

/** Waits until something holds that nobody announces; fails after two minutes, saying what it waited for. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 120_000; !(await holds());) {
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Settings with which tests are quick: a high pace, short back-offs; and no canary release, unless a test is about one. */
export const quick: Record<string, string> = {
  ROSTER_SYNC__DELIVERY__RATE__LIMIT: '500',
  ROSTER_SYNC__DELIVERY__BACKOFF__FIRST: '10ms',
  ROSTER_SYNC__DELIVERY__BACKOFF__MAX: '50ms',
  ROSTER_SYNC__DELIVERY__CANARY: 'false',
};

/** The environment of a process that speaks to this sandbox, quickly. */
export function envOf(sandbox: { url: string; token: string }): Record<string, string> {
  return { ROSTER_SYNC_BASE_URL: sandbox.url, ROSTER_SYNC_TOKEN: sandbox.token, ...quick };
}

/** For `{ skip: withoutTerminals }`: false if pseudo-terminals can be had here, by `script` of util-linux. */
export const withoutTerminals: string | false = without('script');

/** A CSV of N made-up people: `firstname,lastname,email,telephone,groups`, one or two groups each. */
export function csvOf(people: number, options: { domain?: string; groups?: (index: number) => string } = {}): string {
  const { domain = 'example.com', groups = (index) => (index % 2 === 0 ? 'Staff' : 'Staff;Odd') } = options;
  const lines = Array.from(
    { length: people },
    (_, at) => `First${at},Last${at},person${at}@${domain},+45 12 34 ${at},${groups(at)}`,
  );
  return `firstname,lastname,email,telephone,groups\n${lines.join('\n')}\n`;
}

/** Mounts a disk of so many bytes at a new folder for the time of `use`; false if this machine does not allow it. */
export async function withSmallDisk(bytes: number, use: (folder: string) => Promise<void>): Promise<boolean> {
  const folder = newFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' });
  if (mounted.status !== 0 || !existsSync(folder)) return false;
  try {
    await use(folder);
  } finally {
    spawnSync('umount', ['--lazy', folder], { stdio: 'ignore' });
  }
  return true;
}
