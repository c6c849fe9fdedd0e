import type { Pool } from 'pg';
import type { Config } from '../../config/load.ts';
import { type Content, saying } from './company.ts';
import type { Being, Clock } from './world/clock.ts';
import type { Call } from './world/service.ts';

/** A call, and whose it was. */
export interface SeenCall extends Call {
  delivery?: number;
  run?: string;
  recordedAt?: number;
}

/** A roster that was handed in for a run, and what it says. */
export interface HandedIn {
  source: string;
  members: ReadonlyMap<string, Content>;
  /** The bytes of the file. */
  text: string;
  begunAt: number;
}

interface Approval {
  run: string;
  at: number;
  part?: string;
}

/** How long after a decision its effect may still be under way, ms: a last look, a slot, the way to the service. */
const graceMs = 400;

/**
 * Sees everything from outside: what the service gets, what people decide, and which files were handed in. It says what is
 * wrong with that, and shares nothing with the product.
 */
export class Witness {
  readonly violations: string[] = [];
  readonly calls: SeenCall[] = [];
  readonly runs = new Map<string, HandedIn>();
  /** What events said, by person. */
  readonly told = new Map<string, Content[]>();
  readonly approvals: Approval[] = [];
  readonly releasedAt = new Map<string, number>();
  /** When a person was erased. */
  readonly forgotten = new Map<string, number>();
  /** Who must not be sent any more. */
  readonly keptOut = new Set<string>();
  /** When runs were stopped, and when somebody asked to continue them. */
  readonly steered: { run: string; move: 'pause' | 'cancel' | 'go on'; at: number }[] = [];
  jumpedAt = -Infinity;
  readonly #claims = new Map<string, { id: number; runId: string }>();
  readonly #clock: Clock;
  readonly #rate: Config['delivery']['rate'];

  constructor(clock: Clock, rate: Config['delivery']['rate']) {
    this.#clock = clock;
    this.#rate = rate;
  }

  blame(what: string): void {
    if (this.violations.length < 20) this.violations.push(what);
  }

  claimed(being: Being, { id, runId, email }: { id: number; runId: string; email: string }): void {
    this.#claims.set(`${being.name} ${email.toLowerCase()}`, { id, runId });
  }

  recorded(id: number, number: number): void {
    const call = this.calls.filter(({ delivery }) => delivery === id).at(-1);
    if (call && number > 0) call.recordedAt ??= this.#clock.now;
  }

  /** A call arrives. */
  called(given: Call): void {
    const call: SeenCall = given;
    const { key, at, by } = call;
    const claim = this.#claims.get(`${by.name} ${key}`);
    if (!claim) this.blame(`R1: ${key} was called without a claim`);
    else Object.assign(call, { delivery: claim.id, run: claim.runId });
    const flying = this.calls.find((each) => each.key === key && each.endedAt > at);
    if (flying)
      this.blame(`R3: ${key} was called at ${show(at)} while the call of ${show(flying.at)} was still in flight`);
    this.calls.push(call);
    this.#judgePace(at);
    if (call.request.groups.length === 0) this.blame(`R1: ${key} was called without groups`);
    this.#judgeContent(call);
    const erased = this.forgotten.get(key);
    if (erased !== undefined && at > erased) this.blame(`${key} was called although they were forgotten`);
    for (const { run, move, at: when } of this.steered.toReversed()) {
      if (run !== call.run) continue;
      if (move !== 'go on' && at > when + graceMs)
        this.blame(`run ${run} was called for ${key} ${Math.round(at - when)} ms after ${move}`);
      break;
    }
  }

  #judgePace(at: number): void {
    // A clock that was set changes which calls a new process still counts.
    if (at - this.jumpedAt < 15_000) return;
    for (const { limit, perMs } of [this.#rate, ...this.#rate.and]) {
      const count = this.calls.filter((each) => each.at > at - perMs).length;
      if (count > limit) this.blame(`R4: ${count} calls within ${perMs} ms at ${show(at)}, and ${limit} are allowed`);
    }
  }

  /** Nothing is sent that no roster said. */
  #judgeContent(call: SeenCall): void {
    const { request, key, run = '', wall } = call;
    const handed = this.runs.get(run);
    const { firstname, lastname, email } = request.user;
    const sent = saying({ first: firstname, last: lastname, email, groups: request.groups });
    const one = handed?.members.get(key);
    const options = handed ? (one ? [one] : []) : (this.told.get(key) ?? []);
    const isUnited = request.forceSync;
    const fits = options.some((each) => {
      if (!isUnited) return saying(each) === sent;
      const others = new Set([...this.runs.values()].flatMap(({ members }) => members.get(key)?.groups ?? []));
      for (const said of this.told.get(key) ?? []) said.groups.forEach((group) => others.add(group));
      return (
        saying({ ...each, groups: [] }) === saying({ first: firstname, last: lastname, email, groups: [] }) &&
        each.groups.every((group) => request.groups.includes(group)) &&
        request.groups.every((group) => each.groups.includes(group) || others.has(group))
      );
    });
    if (!fits)
      this.blame(`sent what no roster of run ${run} says: ${sent}; it says ${options.map(saying).join(' or ')}`);
    if (one?.starts && Date.parse(one.starts) > wall)
      this.blame(`${key} was called before their first day, ${one.starts}`);
  }

  /** Everything that can be said once the story is over. */
  async judge(pool: Pool): Promise<void> {
    const runs = await pool.query<RunRow>(
      `select id, number::int, source, status, beside, trips, plan, roster, status_reason as reason from runs order by number`,
    );
    const deliveries = await pool.query<DeliveryRow>(
      `select d.id::int, d.run_id, d.person_key, d.action, d.state, d.outcome, d.repeated, d.attempts, d.calls,
         coalesce(m.groups, '[]') as groups from deliveries d
       left join members m on m.run_id = d.run_id and m.person_key = d.person_key`,
    );
    const byRun = new Map(runs.rows.map((run) => [run.id, run]));
    for (const run of runs.rows)
      this.#judgeRun(
        run,
        deliveries.rows.filter(({ run_id }) => run_id === run.id),
      );
    for (const delivery of deliveries.rows) {
      const run = byRun.get(delivery.run_id);
      if (run) this.#judgeDelivery(delivery, run, runs.rows);
    }
    this.#judgeThrottles();
    this.#judgeRepeats(byRun);
  }

  #judgeRun({ id, status, roster, plan, trips }: RunRow, deliveries: DeliveryRow[]): void {
    if (roster) {
      const { rows, members, merged, filtered, rejects } = roster.counts;
      if (rows !== members + merged + filtered + rejects)
        this.blame(`R9: the rows of run ${id} do not add up: ${JSON.stringify(roster.counts)}`);
      if (plan) {
        const { counts } = plan;
        const sum = counts.new + counts.changed + counts.again + counts.unchanged + counts.later;
        if (sum !== members) this.blame(`the plan of run ${id} has ${sum} people, its roster ${members}`);
      }
    }
    if (plan && status !== 'failed' && status !== 'planning' && deliveries.length !== plan.calls) {
      this.blame(`run ${id} planned ${plan.calls} calls and has ${deliveries.length} deliveries`);
    }
    if (status === 'delivering' || status === 'planning')
      this.blame(`R2: run ${id} is still ${status} when everything is over`);
    const count = (outcome: string): number => deliveries.filter((each) => each.outcome === outcome).length;
    const bad = count('partial') + count('failed') + count('unknown');
    if (status === 'finished' && bad > 0) this.blame(`run ${id} is finished and has ${bad} that did not succeed`);
    const open = deliveries.filter(({ state }) => state !== 'done');
    if (status === 'finished' && open.length > 0)
      this.blame(`R2: run ${id} is finished and ${open.length} have no outcome`);
    if (status === 'held' && open.some(({ state }) => state !== 'held'))
      this.blame(`run ${id} is held and has something to send`);
    if (status === 'held' && open.length === 0 && !trips?.some(({ scope }) => scope === 'all'))
      this.blame(`run ${id} is held and holds nothing`);
  }

  #judgeDelivery(delivery: DeliveryRow, run: RunRow, runs: RunRow[]): void {
    const { id, person_key: key, outcome, action, attempts } = delivery;
    const calls = this.calls.filter((call) => call.delivery === id);
    const accepted = calls.filter(({ answer }) => answer?.kind === 'accepted');
    const isErased = !calls.every((call) => call.key === key);
    if (outcome === 'succeeded' && !isErased && !accepted.some(allGroups))
      this.blame(`R6: ${key} in run ${run.id} has succeeded, and the service never said so`);
    if (outcome === 'partial' && accepted.some(allGroups) && !accepted.some((call) => !allGroups(call)))
      this.blame(`R6: ${key} in run ${run.id} is partial, and the service said success for all groups`);
    if (outcome === 'failed') {
      const last = calls.at(-1)?.answer?.kind;
      const counted = calls.filter(({ answer }) =>
        ['broken', 'not-sent', 'may-have-happened'].includes(answer?.kind ?? ''),
      );
      if (
        last === 'throttled' ||
        (last !== 'rejected' && last !== 'refused' && last !== 'not-sent' && last !== undefined && counted.length < 3)
      )
        this.blame(
          `R5: ${key} in run ${run.id} has failed after ${calls.map(({ answer }) => answer?.kind).join(', ')}`,
        );
    }
    const mayCount = calls.filter(
      ({ answer }) =>
        answer === undefined || !['throttled', 'accepted', 'refused', 'rejected', 'unrecognised'].includes(answer.kind),
    ).length;
    if (
      last(calls)?.answer?.kind !== 'not-sent' &&
      !calls.some(({ answer }) => answer === undefined) &&
      attempts > mayCount + 2
    )
      this.blame(`R5: ${key} in run ${run.id} has used up ${attempts} attempts in ${mayCount} calls that count`);
    const again = calls
      .slice(0, -1)
      .filter(
        ({ answer, recordedAt }) =>
          answer === undefined || recordedAt === undefined || answer.kind === 'may-have-happened',
      );
    if (
      again.length > 0 &&
      !delivery.repeated &&
      !isErased &&
      again.some(({ by, answer }) => by.isDead || answer?.kind === 'may-have-happened')
    )
      this.blame(
        `R7: ${key} in run ${run.id} was called again after a call that may have happened, and is not shown as repeated`,
      );
    this.#judgeApproval(delivery, run, calls);
    this.#judgeOrder({ key, calls, action }, run, runs);
  }

  /** Nothing that a guard holds is sent without an approval. */
  #judgeApproval({ person_key: key, action, groups }: DeliveryRow, { id, trips }: RunRow, calls: SeenCall[]): void {
    const isStopped = (trips ?? []).some(({ scope }) => {
      if (scope === 'all') return true;
      if (scope.actions) return scope.actions.includes(action);
      return scope.groups?.some((group) => groups.includes(group)) === true;
    });
    const [first] = calls;
    if (!isStopped || !first) return;
    const allowed = this.approvals.some(
      ({ run, at, part }) => run === id && at <= first.at && (part === undefined || part === action),
    );
    if (!allowed) this.blame(`${key} of run ${id} was held, and called at ${show(first.at)} without an approval`);
  }

  /** What a newer roster has overtaken is not sent any more. */
  #judgeOrder({ key, calls }: { key: string; calls: SeenCall[]; action: string }, run: RunRow, runs: RunRow[]): void {
    const own = Date.parse(run.roster?.time ?? '');
    const isOld = runs.some(
      (each) =>
        each.source === run.source &&
        this.runs.get(each.id)?.text !== this.runs.get(run.id)?.text &&
        each.number < run.number &&
        !each.beside &&
        !run.beside &&
        Date.parse(each.roster?.time ?? '') > own &&
        (this.releasedAt.get(each.id) ?? Infinity) < (this.runs.get(run.id)?.begunAt ?? 0),
    );
    if (isOld && calls.length > 0 && this.jumpedAt === -Infinity && !this.approvals.some((each) => each.run === run.id))
      this.blame(`R13: ${key} was called for run ${run.id}, whose roster is older than one that was released before`);
    for (const call of calls) {
      for (const newer of runs) {
        if (newer.source !== run.source || newer.number <= run.number || !newer.roster) continue;
        const at = this.releasedAt.get(newer.id);
        if (at === undefined || call.at <= at + graceMs) continue;
        if (run.beside && Date.parse(run.roster?.time ?? '') > Date.parse(newer.roster.time)) continue;
        if (newer.roster.partial && !(this.told.get(key) && newer.beside)) continue;
        if (newer.beside) continue;
        this.blame(
          `R13: ${key} of run ${run.id} was called at ${show(call.at)}, after the newer run ${newer.id} was released at ${show(at)}`,
        );
      }
    }
  }

  #judgeThrottles(): void {
    for (const { at, retryAfter, answer, by, recordedAt } of this.calls) {
      if (retryAfter === undefined || answer?.kind !== 'throttled' || recordedAt === undefined) continue;
      if (by.diedAt < at + 2000 || by.stallsUntil > at || Math.abs(this.jumpedAt - at) < 20_000) continue;
      const until = at + retryAfter * 1000;
      const early = this.calls.find((each) => each.at > recordedAt + graceMs && each.at < until - 50);
      if (early)
        this.blame(
          `R4: ${early.key} was called at ${show(early.at)}, and the service had asked to wait until ${show(until)}`,
        );
    }
  }

  /** What is known to have arrived is not sent again, unless something else was said in between. */
  #judgeRepeats(byRun: Map<string, RunRow>): void {
    for (const [at, call] of this.calls.entries()) {
      if (call.recordedAt === undefined || call.answer?.kind !== 'accepted' || !allGroups(call)) continue;
      const source = byRun.get(call.run ?? '')?.source;
      const later = this.calls
        .slice(at + 1)
        .find((each) => each.key === call.key && byRun.get(each.run ?? '')?.source === source);
      if (!later) continue;
      if (later.delivery === call.delivery)
        this.blame(`${call.key} was called again in run ${call.run} after that was known to have succeeded`);
    }
  }
}

interface RunRow {
  id: string;
  number: number;
  source: string;
  status: string;
  beside: boolean;
  reason: string;
  trips: { guard: string; scope: 'all' | { actions?: string[]; groups?: string[] } }[] | null;
  plan: { calls: number; counts: Record<'new' | 'changed' | 'again' | 'unchanged' | 'later', number> } | null;
  roster: {
    counts: Record<'rows' | 'members' | 'merged' | 'filtered' | 'rejects', number>;
    time: string;
    partial: boolean;
  } | null;
}

interface DeliveryRow {
  id: number;
  run_id: string;
  person_key: string;
  action: string;
  state: string;
  outcome: string | null;
  repeated: boolean;
  attempts: number;
  calls: number;
  groups: string[];
}

const last = <Item>(items: readonly Item[]): Item | undefined => items.at(-1);

/** A moment as it is shown: ms since the story began. */
export const show = (at: number): string => String(Math.round(at - 1_000_000));

const allGroups = ({ answer, request }: Call): boolean =>
  answer?.kind === 'accepted' &&
  request.groups.every((group) =>
    answer.results.some((result) => result.group === group && result.status === 'success'),
  );
