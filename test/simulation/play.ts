import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import type { Config } from '../../config/load.ts';
import { approveRun, conductRun, howToGoOn, newRun, runSource, stopRun } from '../../jobs/index.ts';
import { columnsOfSource } from '../../jobs/run/open-source.ts';
import { newSourceRun } from '../../jobs/run/run-source.ts';
import { BusyError, RosterSyncError } from '../../src/core/errors.ts';
import { scaleTempo, tempo } from '../../src/core/pace/waiting-times.ts';
import { forgottenDigest } from '../../src/core/person/forgotten.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { createLogger } from '../../src/process/logger.ts';
import { Company, type Content, departments, type ExportRow, membersOf, rosterOf } from './company.ts';
import { Oracle } from './oracle.ts';
import type { Deed, SourceName, Step, Story } from './story.ts';
import { show, Witness } from './witness.ts';
import { Chance } from './world/chance.ts';
import { Clock, realNow } from './world/clock.ts';
import type { StoryDatabase } from './world/database.ts';
import { type SimulatedProcess, startProcess, type Surroundings } from './world/process.ts';
import { SimulatedQueue } from './world/queue.ts';
import { address, SimulatedService } from './world/service.ts';

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
  /** Guards that held something, and how many plans each let pass. */
  tripped: string[];
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
  const pool = await database.fresh((work) => clock.whileBusy(work));
  const play = new Play(clock, chance, pool, config, story);
  const onStray = (error: unknown): void => play.witness.blame(`nobody caught ${String(error)}`);
  process.on('unhandledRejection', onStray);
  try {
    await clock.run(() => play.run());
  } catch (error) {
    play.witness.blame(`the story broke off: ${error instanceof Error ? error.stack : String(error)}`);
  } finally {
    process.off('unhandledRejection', onStray);
  }
  const trace = play.trace();
  const moves = await pool.query<{ move: string }>(
    `select distinct concat_ws(' ', of, coalesce(before, '-'), after) as move from story.moves`,
  );
  const guards = await pool.query<{ guard: string }>(
    `select distinct t->>'guard' as guard from runs, jsonb_array_elements(trips) t`,
  );
  return {
    violations: play.witness.violations,
    trace,
    hash: createHash('sha256').update(trace.join('\n')).digest('hex').slice(0, 16),
    calls: play.witness.calls.length,
    nights: play.nights,
    moves: moves.rows.map(({ move }) => move),
    tripped: guards.rows.map(({ guard }) => guard),
    ms: realNow() - began,
  };
}

/** Something is wrong already: what follows says no more. */
class StoryOver extends Error {}

class Play {
  readonly witness: Witness;
  nights = 0;
  readonly #clock: Clock;
  readonly #chance: Chance;
  readonly #pool: Pool;
  readonly #config: Config;
  readonly #story: Story;
  readonly #company = new Company();
  readonly #service: SimulatedService;
  readonly #queue: SimulatedQueue;
  readonly #processes: (SimulatedProcess | undefined)[] = [];
  readonly #exports: Record<SourceName, { rows: ExportRow[]; at: number }[]> = { staff: [], contractors: [] };
  readonly #pending = new Map<Promise<void>, SimulatedProcess | undefined>();
  readonly #log: string[] = [];
  readonly #oracle = new Oracle();
  #world: Surroundings | undefined;
  #starts = 0;
  #events = 0;
  #moodUntil = -Infinity;

  constructor(clock: Clock, chance: Chance, pool: Pool, config: Config, story: Story) {
    this.#clock = clock;
    this.#chance = chance;
    this.#pool = pool;
    this.#config = config;
    this.#story = story;
    this.witness = new Witness(clock, config.delivery.rate);
    this.#service = new SimulatedService(
      { clock, chance },
      {
        timeoutMs: config.service.timeoutMs,
        onCall: (call) => this.witness.called(call),
      },
    );
    this.#queue = new SimulatedQueue({ clock, chance }, storyTempo.jobLockMs);
  }

  trace(): string[] {
    const calls = this.witness.calls.map((call) => {
      const { firstname, lastname, email } = call.request.user;
      return `${show(call.at)} ${call.by.name} ${call.run} ${firstname} ${lastname} ${email} ${call.request.groups.join('+')} ${call.status} ${call.answer?.kind}`;
    });
    return [...this.#log, ...calls];
  }

  async run(): Promise<void> {
    const { processes, people, steps } = this.#story;
    if (this.#story.seed % 3 === 0) this.#clock.lateness = 0.01;
    const { webhook } = this.#config.sources['staff'] ?? {};
    this.#world = {
      ...{ clock: this.#clock, chance: this.#chance, pool: this.#pool, queue: this.#queue, service: this.#service },
      ledger: await openLedger(this.#pool, { worker: 'redis', patience: { forMs: 0, onLoss: () => {} } }),
      ...{ paces: new Map(), config: this.#config, tempo: storyTempo, isAlone: processes === 1 },
      webhooks: new Map(
        webhook && steps.some((step) => step.do === 'event') ? [['staff', settleWebhook(webhook)]] : [],
      ),
      log: createLogger({ quiet: true, stream: { write: () => {} } }),
      onFailure: (being, error) => {
        if (!being.isDead)
          this.witness.blame(`${being.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
      },
      onClaim: (being, claimed) => this.witness.claimed(being, claimed),
      onRecord: (id, call) => this.witness.recorded(id, call),
      onRelease: (runId) => {
        if (!this.witness.releasedAt.has(runId)) this.witness.releasedAt.set(runId, this.#clock.now);
      },
    };
    for (let id = 0; id < people; id += 1) {
      const department = departments[id % departments.length] ?? 'Sales';
      this.#company.apply({ change: 'hire', id, department, isContractor: id % 3 === 0 }, this.#clock.wall);
    }
    for (let number = 0; number < processes; number += 1) await this.#start(number);
    try {
      for (const step of steps) await this.#step(step);
      await this.#end();
    } catch (error) {
      if (!(error instanceof StoryOver)) throw error;
    }
  }

  async #start(number: number): Promise<void> {
    if (this.#processes[number] !== undefined || !this.#world) return;
    this.#starts += 1;
    this.#processes[number] = await startProcess(this.#world, `p${number + 1}.${this.#starts}`);
  }

  async #step(step: Step): Promise<void> {
    if (step.after === 'quiet' || step.do === 'day') await this.#quiet();
    else await this.#clock.sleep(step.after);
    const process = 'by' in step ? this.#processes[step.by] : undefined;
    if ('by' in step && process === undefined) return;
    const work = this.#clock.as(process?.being, () => this.#attempt(step, process));
    const done = work.finally(() => this.#pending.delete(done));
    this.#pending.set(done, process);
    if (step.do === 'day' || step.do === 'start' || step.do === 'hr') await done;
  }

  async #attempt(deed: Deed, process: SimulatedProcess | undefined): Promise<void> {
    this.#log.push(`${show(this.#clock.now)} ${deed.do}`);
    try {
      await this.#do(deed, process);
    } catch (error) {
      if (!(error instanceof RosterSyncError))
        this.witness.blame(`${deed.do}: ${error instanceof Error ? error.stack : String(error)}`);
      this.#log.push(`${show(this.#clock.now)} ${deed.do}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #do(deed: Deed, process: SimulatedProcess | undefined): Promise<void> {
    const clock = this.#clock;
    switch (deed.do) {
      case 'hr':
        return this.#company.apply(deed.change, clock.wall);
      case 'day':
        return clock.skip(86_400_000);
      case 'start':
        return this.#start(deed.process);
      case 'kill':
        this.#processes[deed.process]?.kill();
        return void (this.#processes[deed.process] = undefined);
      case 'stop': {
        const stopping = this.#processes[deed.process];
        this.#processes[deed.process] = undefined;
        return stopping?.stop();
      }
      case 'stall': {
        const being = this.#processes[deed.process]?.being;
        if (being) being.stallsUntil = clock.now + deed.ms;
        return;
      }
      case 'service':
        this.#service.mood = deed.mood;
        this.#moodUntil = clock.now + deed.forMs;
        await clock.sleep(deed.forMs);
        if (clock.now >= this.#moodUntil) this.#service.mood = 'fine';
        return;
      case 'queue':
        // One process alone begins with an empty queue, and trusts it from then on.
        if (deed.how === 'double') this.#queue.double();
        else if (this.#story.processes > 1) this.#queue.lose();
        return;
      case 'clock':
        clock.jump(deed.byMs);
        this.witness.jumpedAt = clock.now;
        return;
      default:
        if (process) await this.#ask(deed, process);
    }
  }

  /** What somebody asks a process. */
  async #ask(
    deed: Exclude<Deed, { do: 'hr' | 'day' | 'start' | 'kill' | 'stop' | 'stall' | 'service' | 'queue' | 'clock' }>,
    process: SimulatedProcess,
  ): Promise<void> {
    const { context, deliverer } = process;
    const { ledger } = context;
    const { witness } = this;
    switch (deed.do) {
      case 'night':
        return this.#night(deed, process);
      case 'event':
        return this.#event(deed, process);
      case 'forget':
        return this.#forget(deed.id, process);
      case 'resolve': {
        const email = this.#company.people.get(deed.id)?.email.toLowerCase() ?? '';
        const old = `person.${deed.id}@corp.example`;
        await ledger.resolveIdentity({ service: address, oldKey: old, newKey: email, decision: deed.as });
        return;
      }
      default: {
        const run = await this.#find(deed.which, process, deed.do === 'approve');
        if (!run) return;
        if (deed.do === 'approve') {
          const hash =
            deed.hash === undefined
              ? {}
              : { hash: deed.hash === 'right' ? (run.plan?.hash ?? '') : 'deadbeefdeadbeef' };
          if (deed.hash !== 'wrong')
            witness.approvals.push({ run: run.id, at: this.#clock.now, ...(deed.part && { part: deed.part }) });
          witness.steered.push({ run: run.id, move: 'go on', at: this.#clock.now });
          const approved = await approveRun(context, {
            runId: run.id,
            service: address,
            by: 'ann',
            ...hash,
            ...(deed.part && { only: [deed.part] }),
          });
          if (deed.hash === 'wrong') witness.blame(`an approval of another plan was taken for run ${run.id}`);
          this.#log.push(`${show(this.#clock.now)} approved ${run.id} ${JSON.stringify(approved)}`);
        } else if (deed.do === 'pause' || deed.do === 'cancel') {
          await stopRun(context, run, deed.do, 'ann');
          witness.steered.push({ run: run.id, move: deed.do, at: this.#clock.now });
        } else {
          witness.steered.push({ run: run.id, move: 'go on', at: this.#clock.now });
          await ledger.continueRun(run.id, howToGoOn(run, deed.do));
        }
        deliverer.poke();
      }
    }
  }

  async #find(which: number, { context }: SimulatedProcess, isHeld: boolean): Promise<Run | undefined> {
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from runs order by $2::boolean and status = 'held' desc, number desc offset $1 limit 1`,
      [which, isHeld],
    );
    const [id] = rows;
    return id && (await context.ledger.findRuns(id.id))[0];
  }

  async #night(deed: Extract<Deed, { do: 'night' }>, { context, deliverer }: SimulatedProcess): Promise<void> {
    const { source, file, says, all = false } = deed;
    this.nights += 1;
    const before = this.#exports[source];
    let { rows, at } = { rows: this.#company.export(source), at: this.#clock.wall };
    if (file === 'old') ({ rows, at } = before[Math.max(0, before.length - 2)] ?? { rows, at });
    if (file === 'half') rows = rows.slice(0, Math.ceil(rows.length / 2));
    if (file === 'shuffled') rows = this.#chance.shuffled(rows);
    if (file === 'whole') before.push({ rows, at });
    const roster = rosterOf(rows, source, at, file === 'half');
    const given = { source, members: membersOf(rows, source), text: JSON.stringify(rows), begunAt: this.#clock.now };
    if (says === undefined) {
      const asked = { source, trigger: 'schedule' as const, roster, all };
      const run = newSourceRun(context, asked);
      this.witness.runs.set(run.id, given);
      const { status, reason } = await runSource(context, asked, run);
      this.#log.push(`${show(this.#clock.now)} ${source} ${run.id} is ${status} ${reason}`);
    } else {
      const run = newRun(context, { source, service: address, trigger: 'import' });
      this.witness.runs.set(run.id, given);
      const { became } = await conductRun(context, {
        ...{ run, only: [], all, whilePlanning: (plan) => plan(() => {}) },
        open: () => Promise.resolve({ roster, columns: columnsOfSource(context, source, roster.form.header) }),
        attendant: {
          confirm: () => Promise.resolve(says === 'yes' ? { approvedBy: 'ann' } : { refused: 'no' as const }),
        },
      });
      this.#log.push(`${show(this.#clock.now)} ${source} ${run.id} became ${became}`);
    }
    deliverer.poke();
    if (this.#story.isCalm && given.members.size > 0) await this.#compare(given.members, says !== undefined);
  }

  /** Where nothing goes wrong, a plan and what is held of it can be foretold. */
  async #compare(members: ReadonlyMap<string, Content>, isImport: boolean): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string; counts: Record<string, number>; guards: string[] }>(
      `select id, plan->'counts' as counts, coalesce((select jsonb_agg(distinct t->>'guard' order by t->>'guard')
         from jsonb_array_elements(trips) t), '[]') as guards from runs order by number desc limit 1`,
    );
    const [run] = rows;
    const { guards, ...counts } = this.#oracle.foretell(members, isImport);
    for (const [name, count] of Object.entries(counts)) {
      if (run?.counts[name] !== count)
        this.witness.blame(`the plan of run ${run?.id} has ${run?.counts[name]} ${name}, and it should be ${count}`);
    }
    if ((run?.guards ?? []).length > 0) this.#oracle.noteHeld();
    const held = (run?.guards ?? []).filter((guard) => ['changed', 'departed', 'group', 'new'].includes(guard));
    if (held.join() !== guards.join())
      this.witness.blame(
        `run ${run?.id} is held by ${held.join(', ') || 'nothing'}, and it should be by ${guards.join(', ') || 'nothing'}`,
      );
  }

  async #event({ id, copies }: Extract<Deed, { do: 'event' }>, { context }: SimulatedProcess): Promise<void> {
    const person = this.#company.people.get(id);
    if (!person || person.isGone || person.starts !== undefined) return;
    this.#events += 1;
    const key = `event ${this.#events}`;
    const { first, last, email, department } = person;
    const content: Content = { key: email.toLowerCase(), first, last, email, groups: [department, 'All staff'] };
    this.witness.told.set(content.key, [...(this.witness.told.get(content.key) ?? []), content]);
    const record = { id: `hr-${id}`, first, last, mail: email, team: department };
    for (let copy = 0; copy < copies; copy += 1) {
      await context.ledger.addEvent({
        source: 'staff',
        key,
        kind: 'hired',
        employees: null,
        people: [record],
        body: JSON.stringify(record),
      });
    }
  }

  /** As the command does it. */
  async #forget(id: number, { context: { ledger } }: SimulatedProcess): Promise<void> {
    const key = this.#company.people.get(id)?.email.toLowerCase();
    if (key === undefined) return;
    const known = await ledger.whatIsKnownOf(key);
    if (known.inTheWay.length > 0 || known.inFlight > 0) throw new BusyError('something is in the way');
    const digest = forgottenDigest(await ledger.forgetKey(), key);
    await ledger.blockPeople([{ service: address, digest }]);
    // From here on they are kept out, also where the erasure itself is refused because somebody plans at this moment.
    this.witness.keptOut.add(key);
    await ledger.erasePerson({ key, instead: `forgotten-${id}` });
    this.witness.forgotten.set(key, this.#clock.now);
  }

  /** Waits until nothing is asked and no run plans or delivers; for a while at most. */
  async #quiet(): Promise<void> {
    const until = this.#clock.now + quietMs;
    while (this.#clock.now < until) {
      if (this.witness.violations.length > 0) throw new StoryOver();
      const waits = [...this.#pending.values()].some((process) => process?.being.isDead !== true);
      if (this.#processes.every((process) => process === undefined)) return;
      if (!waits || this.#pending.size === 0) {
        const { rows } = await this.#pool.query<{ open: boolean }>(
          `select exists (select 1 from runs where status in ('planning', 'delivering')) or exists (select 1 from events where state = 'waiting') as open`,
        );
        if (rows[0]?.open === false) return;
      }
      await this.#clock.sleep(400);
    }
    this.witness.blame(`R2: nothing has come to its end after ${quietMs / 1000} s`);
    throw new StoryOver();
  }

  /** The storm is over: everything that was begun is brought to its end, and everybody has what the last rosters say. */
  async #end(): Promise<void> {
    const { witness } = this;
    this.#service.mood = 'fine';
    for (let number = 0; number < this.#story.processes; number += 1) await this.#start(number);
    await this.#clock.sleep(1000);
    this.#service.mood = 'fine';
    await this.#settleRuns();
    const before = witness.violations.length;
    if (!this.#story.isCalm) await this.#lastNight();
    if (!this.#story.isCalm && witness.violations.length === before) await this.#judgeLastNight();
    for (const process of this.#processes) await process?.stop();
    await witness.judge(this.#pool);
    await this.#judgeForgotten();
  }

  /** Resumes and approves until nothing is left. */
  async #settleRuns(): Promise<void> {
    for (let round = 0; round < 12; round += 1) {
      await this.#quiet();
      const { rows } = await this.#pool.query<{ id: string; status: string }>(
        `select id, status from runs where status in ('paused', 'halted', 'held') order by number desc limit 1`,
      );
      const [run] = rows;
      const [process] = this.#processes;
      if (!run || !process) return;
      await this.#clock.as(process.being, () =>
        this.#attempt(
          { do: run.status === 'held' ? 'approve' : 'resume', by: 0, which: 0, id: run.id } as Deed,
          process,
        ),
      );
      // It may be in the way of itself: an older one of the same source waits as well.
      const [now] = await process.context.ledger.findRuns(run.id);
      if (now?.status === run.status)
        await process.context.ledger.moveRun(run.id, 'cancel', { by: 'person', reason: 'the end' });
    }
  }

  async #lastNight(): Promise<void> {
    const [process] = this.#processes;
    if (!process) return;
    await this.#clock.sleep(1000);
    for (const source of ['staff', 'contractors'] as const) {
      await this.#clock.as(process.being, () =>
        this.#attempt({ do: 'night', source, by: 0, file: 'whole', says: 'yes' }, process),
      );
      await this.#settleRuns();
    }
  }

  /** Now a further night has nothing to send, and the service has what the rosters say. */
  async #judgeLastNight(): Promise<void> {
    const { witness } = this;
    let before = witness.calls.length;
    await this.#lastNight();
    // One more may be needed: a hold that somebody approved just now was planned before the other source was sent.
    if (witness.calls.length > before) {
      before = witness.calls.length;
      await this.#lastNight();
    }
    const more = witness.calls.slice(before).map(({ key }) => key);
    if (more.length > 0) witness.blame(`a further night with the same rosters called ${more.join(', ')}`);
    const { rows: rejected } = await this.#pool.query<{ person: string }>(
      `select distinct person_key as person from rejects where person_key is not null`,
    );
    const rejects = new Set(rejected.map(({ person }) => person));
    for (const source of ['staff', 'contractors'] as const) {
      for (const [key, content] of membersOf(this.#company.export(source), source)) {
        if (witness.keptOut.has(key) || rejects.has(key)) continue;
        if (content.starts && Date.parse(content.starts) > this.#clock.wall - 86_400_000) continue;
        const own = witness.calls.filter((call) => call.key === key && call.isDone);
        const names = own.at(-1)?.request.user;
        const isThere = content.groups.every((group) => own.some(({ request }) => request.groups.includes(group)));
        if (
          !isThere ||
          (names?.lastname !== content.last && !own.some(({ request }) => request.user.lastname === content.last))
        )
          witness.blame(`${key} of ${source} was never given ${content.groups.join(', ')} as ${content.last}`);
      }
    }
  }

  /** What is forgotten is nowhere. */
  async #judgeForgotten(): Promise<void> {
    if (this.witness.forgotten.size === 0) return;
    const { rows: tables } = await this.#pool.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    for (const key of this.witness.forgotten.keys()) {
      for (const { name } of tables) {
        const { rows } = await this.#pool.query<{ found: boolean }>(
          `select exists (select 1 from ${name} t where t::text ~* $1) as found`,
          [String.raw`\m${key.replaceAll('.', String.raw`\.`)}\M`],
        );
        if (rows[0]?.found) this.witness.blame(`${key} was forgotten, and the table ${name} still names them`);
      }
    }
  }
}
