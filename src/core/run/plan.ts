// Computes the hash of a plan, its estimated time, and the settings that changed.
import { createHash, type Hash } from 'node:crypto';
import { writeDuration } from '../text/format.ts';
import { type Rate, timeFor, writeRate } from '../pace/pacing.ts';
import type { Action, RunPlan, RunSettings, SettingChange } from './run.ts';

/** One call of a plan, as far as it decides what the plan is. */
export interface PlannedCall {
  key: string;
  action: Action;
  fingerprint: string;
  /** The groups of its call, as text; they may be more than those of the fingerprint. */
  groups: string;
}

type PlanTarget = { service: string; source: string; settings: Pick<RunSettings, 'forceSync' | 'invite'> };

/** Rate and attempts are not in it, since they change nothing of what arrives. SHA-256, hexadecimal. */
export class PlanHash {
  readonly #hash: Hash;

  constructor({ service, source, settings }: PlanTarget) {
    const { forceSync, invite } = settings;
    this.#hash = createHash('sha256').update(JSON.stringify([service, source, { forceSync, invite }]));
  }

  /** Adds calls; all of them in the order of their keys. */
  add(calls: readonly PlannedCall[]): void {
    for (const { key, action, fingerprint, groups } of calls) {
      this.#hash.update(`\n${JSON.stringify([key, action, fingerprint, groups])}`);
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

/** `share` of the rate that the service bore when it was last called. */
export function estimatePlan(
  calls: number,
  { rate, deadlineMs }: Pick<RunSettings, 'rate' | 'deadlineMs'>,
  share: number,
): NonNullable<RunPlan['estimate']> {
  const sustainedRate: Rate = { ...rate, limit: rate.limit * share };
  const ms = timeFor(calls, sustainedRate);
  return { ms, rate: writeRate(rate), share, deadlineMs, isInTime: ms <= deadlineMs };
}

/** What `forceSync` may take away, and what nobody can know. */
export function removalNotice({
  people,
  memberships,
}: {
  people: number;
  memberships: number;
}): NonNullable<RunPlan['removals']> {
  const unseen = 'groups assigned by hand are invisible to us';
  const sentence =
    memberships === 0
      ? `forceSync takes away none of the groups we gave; ${unseen}`
      : `forceSync may take away at least ${plural(memberships, 'group membership')} of ${plural(people, 'person', 'people')}, ` +
        `those we gave; ${unseen}`;
  return { atLeast: memberships, people, sentence };
}

function plural(value: number, one: string, many = `${one}s`): string {
  return `${value} ${value === 1 ? one : many}`;
}

export function settingChanges(before: RunSettings, now: RunSettings): SettingChange[] {
  const said = (settings: RunSettings): [string, string][] => [
    ['forceSync', settings.forceSync ? 'on' : 'off'],
    ['invite', settings.invite ? 'on' : 'off'],
    ['rate', writeRate(settings.rate)],
    ['attempts', String(settings.attempts)],
    ['deadline', writeDuration(settings.deadlineMs)],
  ];
  const old = new Map(said(before));
  return said(now)
    .map(([setting, value]) => ({ setting, before: old.get(setting) ?? '', now: value }))
    .filter(({ before, now }) => before !== now);
}
