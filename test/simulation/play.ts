import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Config } from '../../config/load.ts';
import { scaleTempo, tempo } from '../../src/core/pace/waiting-times.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createLogger } from '../../src/process/logger.ts';
import { redactorOfConfig } from '../../src/wiring/configured-secrets.ts';
import { type JudgedPlan, passedIn } from './coverage.ts';
import { Company, departments } from './company.ts';
import { attempt } from './deeds.ts';
import { endStory } from './ending.ts';
import { Oracle } from './oracle/oracle.ts';
import { processOf, type Stage, startNumber } from './stage.ts';
import type { Step, Story } from './story.ts';
import { show, Witness } from './witness.ts';
import { Chance } from './world/chance.ts';
import { Clock, realNow } from './world/clock.ts';
import type { StoryDatabase } from './world/database.ts';
import type { SimulatedProcess } from './world/process.ts';
import { SimulatedQueue } from './world/queue.ts';
import { SimulatedService } from './world/service.ts';

/** How a story ended. */
export interface Ending {
  violations: string[];
  /** Everything that the outside saw, in order. */
  trace: string[];
  /** Stands for exactly that trace. */
  hash: string;
  calls: number;
  nights: number;
  /** Changes of state that were seen: `deliveries due done`. */
  moves: string[];
  /** Guards that held something. */
  tripped: string[];
  /** Guards that had something to judge, and let it pass. */
  passed: string[];
  ms: number;
}

/** Everything that waits for others is quicker, so that stories are short; signs of life are not, because each is a statement. */
const storyTempo = { ...scaleTempo(tempo, 0.3), heartbeatMs: 2000, deadAfterMs: 6000 };

/** Waiting for quiet ends after this time: then something hangs. */
const quietMs = 100_000;

/** Plays a story from its beginning to its end, and says what was wrong. The same story always ends the same way. */
export async function play(database: StoryDatabase, config: Config, story: Story): Promise<Ending> {
  const began = realNow();
  const chance = new Chance(story.seed);
  const clock = new Clock(chance);
  const pool = database.fresh((work) => clock.whileBusy(work));
  const witness = new Witness(clock, config);
  const progress = { nights: 0, trace: [] as string[], passed: [] as string[] };
  const onStray = (error: unknown): void => witness.blame(`nobody caught ${String(error)}`);
  process.on('unhandledRejection', onStray);
  try {
    await clock.run(async () => {
      const stage = await setStage({ clock, chance, pool, config, story, witness });
      try {
        await playOn(stage);
      } finally {
        Object.assign(progress, { nights: stage.nights, trace: traceOf(stage), passed: [...stage.oracle.passed] });
      }
    });
  } catch (error) {
    witness.blame(`the story broke off: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    process.off('unhandledRejection', onStray);
  }
  const trace = [...progress.trace, `${clock.turns} turns`];
  // With the clock installed too: a timer that PostgreSQL sets here would else go off in the middle of a later story.
  const { moves, plans } = await clock.run(() => clock.whileBusy(() => seenIn(pool)));
  return {
    violations: witness.violations,
    trace,
    hash: createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16),
    calls: witness.calls.length,
    nights: progress.nights,
    moves: moves.rows.map(({ move }) => move),
    tripped: [...new Set(plans.rows.flatMap(({ tripped }) => tripped))],
    passed: [...new Set([...plans.rows.flatMap(passedIn), ...progress.passed])],
    ms: realNow() - began,
  };
}

async function seenIn(pool: Pool) {
  const moves = await pool.query<{ move: string }>(
    `select distinct concat_ws(' ', of, coalesce(before, '-'), after) as move from story.moves`,
  );
  const plans = await pool.query<JudgedPlan>(
    `select plan->'counts' as counts, (roster->'counts'->>'rejects')::int as rejects,
       coalesce((select jsonb_agg(t->>'guard') from jsonb_array_elements(trips) t), '[]') as tripped,
       not exists (select 1 from runs o where o.source = r.source and o.number < r.number and o.released_at is not null) as "isFirst"
     from runs r where plan is not null and roster is not null`,
  );
  return { moves, plans };
}

/** Something is wrong already: what follows says no more. */
class StoryOver extends Error {}

async function setStage(
  given: Pick<Stage, 'clock' | 'chance' | 'pool' | 'config' | 'story' | 'witness'>,
): Promise<Stage> {
  const { clock, chance, pool, config, story, witness } = given;
  if (story.seed % 3 === 0) clock.lateness = 0.01;
  const { webhook } = config.sources['staff'] ?? {};
  const redact = redactorOfConfig(config);
  const queue = new SimulatedQueue({ clock, chance }, storyTempo.jobLockMs);
  const service = new SimulatedService(
    { clock, chance },
    { timeoutMs: config.service.timeoutMs, redact, onCall: (call) => witness.called(call) },
  );
  const hears = webhook && story.steps.some((step) => step.do === 'event');
  const world: Stage['world'] = {
    ...{ clock, chance, pool, queue, service, config, tempo: storyTempo, isAlone: story.processes === 1 },
    ledger: await openLedger(pool, { worker: 'redis', lossPolicy: { forMs: 0, onLoss: () => {} } }),
    paces: new Map(),
    webhooks: new Map(hears ? [['staff', settleWebhook(webhook)]] : []),
    redact,
    log: createLogger({ redact, stream: { write: (line) => witness.said('the log', line) } }),
    hears: story.seed % 3 === 1,
    onNotice: (notice) => witness.said('a notice', JSON.stringify(notice)),
    onBegin: (being, id) => witness.begins.push({ being, id, at: clock.now }),
    onCreate: (run) => witness.created(run),
    onFailure: (being, error) => {
      if (!being.isDead) witness.blame(`${being.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    },
    onClaim: (being, claimed) => witness.claimed(being, claimed),
    onRecord: (being, id, call) => witness.recorded(being, id, call),
    onRelease: (runId) => {
      if (!witness.releasedAt.has(runId)) witness.releasedAt.set(runId, clock.now);
    },
  };
  return {
    ...given,
    ...{ world, queue, service, company: new Company(), oracle: new Oracle(), processes: [], log: [] },
    exports: { staff: [], contractors: [] },
    ...{ starts: 0, stopping: undefined, nights: 0, events: 0, isCalmAgain: false, moodUntil: -Infinity },
  };
}

async function playOn(stage: Stage): Promise<void> {
  const { clock, company, story } = stage;
  for (let id = 0; id < story.people; id += 1) {
    const department = departments[id % departments.length] ?? 'Sales';
    company.apply({ change: 'hire', id, department, isContractor: id % 3 === 0 }, clock.wall);
  }
  for (let number = 0; number < story.processes; number += 1) await startNumber(stage, number);
  const pending = new Map<Promise<void>, SimulatedProcess | undefined>();
  const quiet = (): Promise<void> => waitForQuiet(stage, pending);
  try {
    for (const step of story.steps) await take(stage, step, pending, quiet);
    await endStory(stage, quiet);
  } catch (error) {
    if (!(error instanceof StoryOver)) throw error;
  }
}

async function take(
  stage: Stage,
  step: Step,
  pending: Map<Promise<void>, SimulatedProcess | undefined>,
  quiet: () => Promise<void>,
): Promise<void> {
  const { clock, processes } = stage;
  if (step.after === 'quiet' || step.do === 'day') await quiet();
  else await clock.sleep(step.after);
  // A sender finds whichever process answers.
  const living = processes.findIndex((_, number) => processOf(stage, number) !== undefined);
  const process = 'by' in step ? processOf(stage, step.by) : step.do === 'event' ? processOf(stage, living) : undefined;
  if ('by' in step && process === undefined) return;
  // Who dies while stopping is not waited for.
  const busy = step.do === 'stop' ? processOf(stage, step.process) : process;
  const work = clock.as(process?.being, () => attempt(stage, step, process));
  const done = work.finally(() => pending.delete(done));
  pending.set(done, busy);
  if (step.do === 'day' || step.do === 'start' || step.do === 'hr') await done;
}

/** Waits until nothing is asked and no run plans or delivers; for a while at most. */
async function waitForQuiet(
  stage: Stage,
  pending: ReadonlyMap<Promise<void>, SimulatedProcess | undefined>,
): Promise<void> {
  const { clock, pool, processes, witness } = stage;
  const until = clock.now + quietMs;
  while (clock.now < until) {
    if (witness.violations.length > 0) throw new StoryOver();
    if (processes.every((_, number) => processOf(stage, number) === undefined)) return;
    const waits = [...pending.values()].some((process) => process?.being.isDead !== true);
    if (!waits) {
      const { rows } = await pool.query<{ open: boolean }>(
        `select exists (select 1 from runs where status in ('planning', 'delivering')) or exists (select 1 from events where state = 'waiting') as open`,
      );
      if (rows[0]?.open === false) return;
    }
    await clock.sleep(400);
  }
  witness.blame(`R2: nothing has come to its end after ${quietMs / 1000} s`);
  throw new StoryOver();
}

/** Everything that the outside saw, in order. */
function traceOf({ log, witness }: Stage): string[] {
  const calls = witness.calls.map((call) => {
    const { firstname, lastname, email } = call.request.user;
    return `${show(call.at)} ${call.by.name} ${call.run} ${firstname} ${lastname} ${email} ${call.request.groups.join('+')} ${call.status} ${call.answer?.kind}`;
  });
  return [...log, ...calls];
}
