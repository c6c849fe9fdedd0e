// Says what a change of a kept source lets through that was held or left out before.
import { isDeepStrictEqual } from 'node:util';
import { type GuardSettings, defaultGuards } from '../src/core/guards/guard-settings.ts';
import type { Rate } from '../src/core/pace/pacing.ts';
import type { SourceConfig } from './source-schema.ts';

/**
 * When a setting lets more through than before:
 *
 * - `raised`, `lowered`: a number that is so, or a limit that is no longer there
 * - `on`: a choice, or a policy, that is switched on
 * - `shorter`: conditions or names of which one is missing; `longer`: one is there that was not
 * - `wider`: a list of all that is allowed, with one more, or none any more
 * - `never`: what it gives is planned, and guards look at it
 */
type Direction = 'raised' | 'lowered' | 'on' | 'shorter' | 'longer' | 'wider' | 'never';

/** Every setting that a kept source may have, by its path, and its direction. A test fails where one is missing. */
export const directions: Readonly<Record<string, Direction>> = {
  read: 'never',
  members: 'never',
  only: 'shorter',
  except: 'shorter',
  leavers: 'shorter',
  groups: 'never',
  rename: 'never',
  renamePatterns: 'never',
  'allow.groups.only': 'wider',
  'allow.groups.except': 'shorter',
  'allow.groups.perPerson': 'raised',
  'allow.groups.total': 'raised',
  'allow.emails.domains': 'wider',
  'allow.people.except': 'shorter',
  'allow.values': 'longer',
  everybody: 'on',
  ...Object.fromEntries(
    Object.entries(defaultGuards).flatMap(([guard, keys]) =>
      Object.keys(keys).map((key) => [`guards.${guard}.${key}`, 'raised' as const]),
    ),
  ),
  refresh: 'lowered',
  snapshot: 'on',
  'departed.group': 'on',
  'departed.forceSync': 'on',
  'departed.after': 'lowered',
  'invites.perRun': 'raised',
  'invites.perDay': 'raised',
  'deliver.forceSync': 'on',
  'deliver.invite': 'on',
  'deliver.rate': 'raised',
};

export interface Otherwise {
  forceSync: boolean;
  invite: boolean;
}

/**
 * By their paths. It compares what they allow, not how they are written: a guard that is left out has its default.
 */
export function loosened(before: SourceConfig, after: SourceConfig, otherwise: Otherwise): string[] {
  return Object.entries(directions).flatMap(([path, direction]) =>
    isLooser(direction, valueOf(before, path, otherwise), valueOf(after, path, otherwise)) ? [path] : [],
  );
}

function valueOf(source: SourceConfig, path: string, { forceSync, invite }: Otherwise): unknown {
  const { guards, deliver, ...others } = source;
  const settled = { ...others, deliver: { forceSync, invite, ...deliver }, guards: { ...defaultGuards, ...guards } };
  const [part, name] = path.split('.');
  if (part === 'guards' && settled.guards[name as keyof GuardSettings] === 'off') return Infinity;
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], settled);
  return path === 'deliver.rate' ? perSecond(value as Rate | undefined) : value;
}

function perSecond(rate: Rate | undefined): number | undefined {
  return rate && (rate.limit / rate.perMs) * 1000;
}

function isLooser(direction: Direction, before: unknown, after: unknown): boolean {
  const [lists, others] = [before, after].map((value) => (Array.isArray(value) ? (value as unknown[]) : undefined));
  const lacks = (list: unknown[] = [], item: unknown): boolean => !list.some((one) => isDeepStrictEqual(one, item));
  switch (direction) {
    case 'raised':
      return numberOf(after, Infinity) > numberOf(before, Infinity);
    case 'lowered':
      return numberOf(after, Infinity) < numberOf(before, Infinity);
    case 'on':
      return after !== undefined && after !== false && !isDeepStrictEqual(before, after);
    case 'shorter':
      return (lists ?? []).some((item) => lacks(others, item));
    case 'longer':
      return (others ?? []).some((item) => lacks(lists, item));
    case 'wider':
      return lists !== undefined && (others === undefined || others.some((item) => lacks(lists, item)));
    case 'never':
      return false;
  }
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
