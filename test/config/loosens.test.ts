import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { KeptSource, parseKeptBlock, directions, loosened } from '../../config/kept-source.ts';

interface Described {
  properties?: Record<string, Described>;
  anyOf?: Described[];
}

/** Settings that are one value to the table, however many keys they have; of `read` and `members` all but what is named below. */
const whole = new Set(['rename', 'deliver.rate']);

function leaves({ properties, anyOf = [] }: Described, path = ''): string[] {
  const inner = properties ?? anyOf.find((one) => one.properties)?.properties;
  if (path === 'read') return [path, ...leaves(inner?.['limits'] ?? {}, 'read.limits')];
  if (path === 'members') return [path, ...['employeeId', 'startDate'].map((key) => `members.${key}`)];
  if (!inner || whole.has(path)) return [path];
  return Object.entries(inner).flatMap(([key, one]) => leaves(one, path === '' ? key : `${path}.${key}`));
}

function read(block: string) {
  const parsed = parseKeptBlock(block);
  assert.ok('source' in parsed, `${block}: ${'problems' in parsed ? parsed.problems.join() : ''}`);
  return parsed.source;
}

const given = { forceSync: false, invite: true };

describe('what a change of a kept source lets through', () => {
  it('has a direction for every setting', () => {
    const described = z.toJSONSchema(KeptSource, { io: 'input', unrepresentable: 'any' }) as Described;
    assert.deepEqual(leaves(described).toSorted(), Object.keys(directions).toSorted());
  });

  for (const [before, after, paths] of [
    ['', 'everybody: true', ['everybody']],
    ['', 'guards: { shrink: off }', ['guards.shrink.percent', 'guards.shrink.count']],
    ['', 'guards: { new: { percent: 51 } }', ['guards.new.percent']],
    ['guards: { new: { count: 1 } }', '', ['guards.new.count']],
    ['', 'deliver: { forceSync: true }', ['deliver.forceSync']],
    ['deliver: { invite: false }', '', ['deliver.invite']],
    ['deliver: { rate: 5 }', 'deliver: { rate: 301/1m }', ['deliver.rate']],
    ['deliver: { rate: 5 }', '', ['deliver.rate']],
    ['invites: { perDay: 5 }', 'invites: { perRun: 5 }', ['invites.perDay']],
    ['only: [{ column: A, equals: x }]', 'only: [{ column: A, equals: y }]', ['only']],
    ['except: [{ column: A, equals: x }]', '', ['except']],
    ['allow: { groups: { only: [A] } }', 'allow: { groups: { only: [A, B] } }', ['allow.groups.only']],
    ['allow: { emails: { domains: [a.example] } }', '', ['allow.emails.domains']],
    ['allow: { people: { except: [x] } }', 'allow: { people: { except: [y] } }', ['allow.people.except']],
    ['allow: { groups: { perPerson: 3 } }', '', ['allow.groups.perPerson']],
    ['', 'departed: { group: Leavers, forceSync: true }', ['departed.group', 'departed.forceSync', 'departed.after']],
    ['', 'allow: { groups: { perPerson: 101, total: 200000 } }', ['allow.groups.perPerson', 'allow.groups.total']],
    ['', 'read: { limits: { bytes: 1TB, record: 2000000 } }', ['read.limits.bytes', 'read.limits.record']],
    ['read: { limits: { columns: 10 } }', 'read: { format: csv }', ['read.limits.columns']],
    ['', 'refresh: 1d', ['refresh']],
    ['', 'snapshot: true', ['snapshot']],
    ['members: { startDate: Start }', 'members: { email: Mail }', ['members.startDate']],
    ['members: { employeeId: No }', 'members: { employeeId: false }', ['members.employeeId']],
  ] as const) {
    it(`is more from "${before}" to "${after}", and not more back`, () => {
      assert.deepEqual(loosened(read(before), read(after), given).toSorted(), [...paths].toSorted());
    });
  }

  it('is no more where it is only written differently, or stricter', () => {
    for (const [before, after] of [
      ['', 'guards: { shrink: { percent: 20 } }'],
      ['', 'everybody: false\ndeliver: { forceSync: false, invite: true }'],
      ['', 'read: { limits: { files: 1000, depth: 3 } }\nallow: { groups: { perPerson: 100 } }'],
      ['deliver: { rate: 300/1m }', 'deliver: { rate: 5 }'],
      ['guards: { new: off }', 'guards: { new: { percent: 90 } }'],
      ['only: [{ column: A, equals: x }]', 'only: [{ equals: x, column: A }, { column: B, is: true }]'],
      ['allow: { groups: { only: [B, A] } }', 'allow: { groups: { only: [A] } }'],
      ['members: { startDate: Start }', 'members: { startDate: From, employeeId: No }'],
      ['', 'members: { email: Mail }\ngroups: [{ column: Team }]'],
    ] as const)
      assert.deepEqual(loosened(read(before), read(after), given), [], after);
  });
});
