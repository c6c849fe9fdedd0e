import type { Config } from '../../config/load.ts';
import { type Content, saying } from './company.ts';
import type { Being, Clock } from './world/clock.ts';
import { leakIn } from './world/secrets.ts';
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
  /** A person has brought it. */
  isImport: boolean;
}

export interface Approval {
  run: string;
  at: number;
  part?: string;
}

/** How long after a decision its effect may still be under way, ms: a last look, a slot, the way to the service. */
export const graceMs = 600;

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
  readonly keptOut = new Map<string, number>();
  /** People about whose new address somebody has decided. */
  readonly resolved = new Set<number>();
  /** The sources of whose last file nobody was usable, because addresses wait for `resolve`; such a run keeps no rejects. */
  readonly undecided = new Set<string>();
  /** Events that were taken: their senders have been told so. */
  readonly taken = new Set<string>();
  /** When an event last spoke of a person. */
  readonly lastTold = new Map<string, number>();
  /** When runs were stopped, and when somebody asked to continue them. */
  readonly steered: { run: string; move: 'pause' | 'cancel' | 'go on'; at: number }[] = [];
  /** People whom somebody recorded as given elsewhere. */
  readonly elsewhere: ReadonlyMap<string, Content>[] = [];
  /** Who asked to begin the call of a delivery. */
  readonly begins: { being: Being; id: number; at: number }[] = [];
  /** The file that lies where the staff are read from. */
  lying: Omit<HandedIn, 'begunAt' | 'isImport'> | undefined;
  jumpedAt = -Infinity;
  readonly #claims = new Map<string, { id: number; runId: string }>();
  readonly #clock: Clock;
  readonly #config: Config;

  constructor(clock: Clock, config: Config) {
    this.#clock = clock;
    this.#config = config;
  }

  blame(what: string): void {
    if (this.violations.length < 20) this.violations.push(what);
  }

  /** A run begins; one that an event has asked for reads what lies there. */
  created({ id, trigger, beside }: { id: string; trigger: string; beside?: boolean }): void {
    if (trigger === 'event' && beside !== true && this.lying && !this.runs.has(id))
      this.runs.set(id, { ...this.lying, begunAt: this.#clock.now, isImport: false });
  }

  /** R12: what the product says, and where. */
  said(where: string, text: string): void {
    const leak = leakIn(text);
    if (leak !== undefined) this.blame(`R12: ${where} names ${leak}: ${text.slice(0, 300)}`);
  }

  claimed(being: Being, { id, runId, email }: { id: number; runId: string; email: string }): void {
    this.#claims.set(`${being.name} ${email.toLowerCase()}`, { id, runId });
  }

  recorded(being: Being, id: number, number: number): void {
    const call = this.calls.findLast(({ delivery, by }) => delivery === id && by === being);
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
    this.#judgeSettings(call);
    this.#judgeIdentity(call);
    this.#judgeRefusal(call);
    this.#judgeUnited(call);
    const erased = this.forgotten.get(key);
    if (erased !== undefined && at > erased) this.blame(`${key} was called although they were forgotten`);
    const keptOut = this.keptOut.get(key);
    const planned = this.runs.get(call.run ?? '')?.begunAt ?? -Infinity;
    if (keptOut !== undefined && planned > keptOut)
      this.blame(`${key} was called in run ${call.run}, which began after they were kept out`);
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
    const { rate } = this.#config.delivery;
    for (const { limit, perMs } of [rate, ...rate.and]) {
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

  /** A source is sent with its own settings. */
  #judgeSettings({ key, run, request }: SeenCall): void {
    const source = run === undefined ? undefined : (this.runs.get(run)?.source ?? 'staff');
    if (source === undefined) return;
    const { deliver } = this.#config.sources[source] ?? {};
    const { delivery } = this.#config;
    for (const name of ['invite', 'forceSync'] as const) {
      const wanted = deliver?.[name] ?? delivery[name];
      if (request[name] !== wanted)
        this.blame(`${key} of ${source} was called with ${name}: ${request[name]}, and it should be ${wanted}`);
    }
  }

  /** Somebody whose address is new waits for a decision: they may have an account there. */
  #judgeIdentity({ key, run }: SeenCall): void {
    const handed = this.runs.get(run ?? '');
    const id = handed?.members.get(key)?.id;
    if (!handed || id === undefined || this.resolved.has(id)) return;
    const old = this.calls.find((each) => {
      const other = this.runs.get(each.run ?? '');
      const isTheirs = other?.source === handed.source && other.members.get(each.key)?.id === id;
      return isTheirs && each.key !== key && (each.recordedAt ?? Infinity) < handed.begunAt && allGroups(each);
    });
    const isErased = old && (this.forgotten.has(old.key) || this.keptOut.has(old.key));
    // Sent when nothing had arrived at the other address yet, as far as anybody knew.
    const wasThere = this.calls.some((each) => each.key === key && each.at < handed.begunAt);
    if (old && !isErased && !wasThere)
      this.blame(`person ${id} was called as ${key} in run ${run}, and nobody has said what happened to ${old.key}`);
  }

  /** With forceSync a call that leaves out what another source gave takes it away. */
  #judgeUnited({ at, key, run, request }: SeenCall): void {
    const source = this.runs.get(run ?? '')?.source;
    if (!request.forceSync || source === undefined) return;
    const other = this.calls.findLast((each) => each.key === key && this.runs.get(each.run ?? '')?.source !== source);
    if (!other || !allGroups(other) || (other.recordedAt ?? Infinity) > at - 20_000) return;
    const otherSource = this.runs.get(other.run ?? '')?.source;
    const newest = [...this.runs.values()].findLast((each) => each.source === otherSource && each.members.has(key));
    // What a newer roster of that source no longer says needs no call there, and may go.
    const isSaid = (group: string): boolean => newest?.members.get(key)?.groups.includes(group) ?? true;
    const lacking = other.request.groups.filter((group) => !request.groups.includes(group) && isSaid(group));
    if (lacking.length > 0 && this.resolved.size === 0)
      this.blame(
        `${key} of ${source} was called with forceSync without ${lacking.join(', ')}, which another source gave`,
      );
  }

  /** R8: what the service has refused stops its run, until somebody continues it. */
  #judgeRefusal({ at, key, run }: SeenCall): void {
    const goneOn = Math.max(-Infinity, ...this.steered.filter((each) => each.run === run).map((each) => each.at));
    const refused = this.calls.find(
      ({ run: own, answer, recordedAt = Infinity, by, at: when }) =>
        own === run &&
        answer?.kind === 'refused' &&
        recordedAt > goneOn &&
        at > recordedAt + 1500 &&
        by.diedAt > when + 10_000 &&
        by.stallsUntil < when,
    );
    if (refused)
      this.blame(
        `R8: ${key} of run ${run} was called at ${show(at)}, and ${refused.key} was refused at ${show(refused.at)}`,
      );
  }
}

/** A moment as it is shown: ms since the story began. */
export const show = (at: number): string => String(Math.round(at - 1_000_000));

/** The service has said success for all groups. */
export const allGroups = ({ answer, request }: Call): boolean =>
  answer?.kind === 'accepted' &&
  request.groups.every((group) =>
    answer.results.some((result) => result.group === group && result.status === 'success'),
  );
