import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  overlappingCalls,
  repeatedCalls,
  startSandbox,
  type Sandbox,
  type SandboxCall,
} from '../../src/sandbox/index.ts';
import { startCli, type CliOptions } from './cli.ts';
import { readLedger, type KeptLedger, type KeptReceipt } from './ledger-copy.ts';
import { writeRoster } from './roster.ts';

/** How a round is played. */
export interface RoundOptions {
  people: number;
  concurrency: number;
  /** The share of the people, from 0 to 1, who were called when the process is killed. */
  killedAt: number;
}

/** What a round found. */
export interface Round {
  /** Calls that the service was serving when the process was killed. */
  serving: number;
  /** Calls that the killed process had begun and kept no receipt of, by the ledger it left. */
  begun: number;
  /** Receipts in the ledger at the kill. */
  kept: number;
  /** Of those, receipts that are not there in the end. */
  lost: KeptReceipt[];
  /** People whom the service had answered, and of whom the ledger then knew neither a receipt nor a call in flight. */
  forgotten: string[];
  /** People who were called twice, and those of them whose call was not in flight at the kill. */
  repeated: string[];
  repeatedInVain: string[];
  /** The least time between two calls of one person, in ms; Infinity when nobody was called twice. */
  soonestRepeat: number;
  /** Pairs of calls of one person that were open at the same time. */
  overlaps: number;
  /** People with the outcome `succeeded`, in the ledger and by `show --json`. */
  succeeded: number;
  shown: { status: string; calls: number; outcome: Record<string, number> };
  exitCode: number | null;
  stderr: string;
}

/** The service's deadline for one call, in ms: a call in flight at the kill is not repeated before. */
export const timeoutMs = 5000;
const latencyMs = 200;
const leastServing = 5;
const longestWait = 120_000;

/**
 * Imports made-up people with the real command line, kills it with `kill -9` while the service is serving at least
 * five calls, resumes the run, and compares what the service saw with what the ledger kept.
 */
export async function playRound(options: RoundOptions): Promise<Round> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-kill-'));
  const sandbox = await startSandbox({ record: 'no-bodies', faults: [`latency=${latencyMs}`] });
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const roster = join(folder, 'people.csv');
  writeRoster(roster, options.people);
  const settings: CliOptions = {
    dataDir,
    service: sandbox,
    environment: {
      ROSTER_SYNC__SERVICE__TIMEOUT: `${timeoutMs}ms`,
      ROSTER_SYNC__DELIVERY__CONCURRENCY: String(options.concurrency),
      ROSTER_SYNC__DELIVERY__RATE__LIMIT: '5000',
    },
  };
  const importing = startCli(['import', roster, '--yes', '--quiet'], settings);
  let done = false;
  try {
    const before = await killWhenBusy(sandbox, importing, Math.floor(options.people * options.killedAt));
    const left = await readLedger(dataDir);
    const { code, stdout, stderr } = await startCli(['resume', 'latest', '--json'], settings).ended;
    const end = await readLedger(dataDir);
    const show = await startCli(['show', 'latest', '--quiet', '--json'], { dataDir }).ended;
    done = code === 0 && show.code === 0;
    if (!done) throw new Error(`resume ended with ${code}, show with ${show.code}:\n${stdout}${stderr}${show.stderr}`);
    return { ...compare(before, sandbox.calls, left, end), exitCode: code, stderr, shown: JSON.parse(show.stdout) };
  } finally {
    importing.kill();
    await sandbox.close();
    // What explains a failure is kept.
    if (done) rmSync(folder, { recursive: true, force: true });
    else console.error(`kept: ${folder}`);
  }
}

interface Kill {
  serving: number;
  /** People whom the service had answered by then. */
  answered: string[];
  called: Set<string>;
}

async function killWhenBusy(sandbox: Sandbox, importing: ReturnType<typeof startCli>, calls: number): Promise<Kill> {
  let early: string | undefined;
  void importing.ended.then(({ code, stderr }) => (early = `the import ended by itself (${code}): ${stderr}`));
  const deadline = performance.now() + longestWait;
  while (sandbox.calls.length < calls || sandbox.stats().inFlight < leastServing) {
    if (early !== undefined) throw new Error(early);
    if (performance.now() > deadline) throw new Error(`no ${leastServing} calls in flight in time`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  importing.kill();
  const seen = sandbox.calls.map(({ email = '', status, endedAt }) => ({ email, status, endedAt }));
  const { signal } = await importing.ended;
  if (signal !== 'SIGKILL') throw new Error(`the import was over before it was killed`);
  return {
    serving: seen.filter(({ endedAt }) => endedAt === undefined).length,
    answered: seen.filter(({ status, endedAt }) => status === 200 && endedAt !== undefined).map(({ email }) => email),
    called: new Set(seen.map(({ email }) => email)),
  };
}

function compare(
  before: Kill,
  calls: readonly SandboxCall[],
  left: KeptLedger,
  end: KeptLedger,
): Omit<Round, 'exitCode' | 'stderr' | 'shown'> {
  const nameOf = ({ person, call, kind, hash }: KeptReceipt): string => `${person} ${call} ${kind} ${hash}`;
  const inTheEnd = new Set(end.receipts.map(nameOf));
  const known = new Set([...left.receipts.map(({ person }) => person), ...left.inFlight]);
  const repeats = repeatedCalls(calls);
  const gaps = repeats.flatMap(({ calls }) =>
    calls.slice(1).map((call, at) => call.arrivedAt - (calls[at]?.arrivedAt ?? Infinity)),
  );
  return {
    serving: before.serving,
    begun: left.inFlight.size,
    kept: left.receipts.length,
    lost: left.receipts.filter((receipt) => !inTheEnd.has(nameOf(receipt))),
    forgotten: before.answered.filter((email) => !known.has(email)),
    repeated: repeats.map(({ email }) => email),
    repeatedInVain: repeats
      .filter(({ email, calls }) => !left.inFlight.has(email) || calls.length > 2)
      .map(({ email }) => email),
    soonestRepeat: Math.min(...gaps),
    overlaps: overlappingCalls(calls).length,
    succeeded: end.deliveries.filter(({ outcome }) => outcome === 'succeeded').length,
  };
}
