import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { whatChanged } from '../../../src/core/person/member.ts';
import { estimatePlan, type PlannedCall, PlanHash, removalNotice, settingChanges } from '../../../src/core/run/plan.ts';
import { judgeOlderFiles, judgeRosterTime } from '../../../src/core/guards/roster-time.ts';
import type { RunSettings } from '../../../src/core/run/run.ts';

const settings: RunSettings = {
  forceSync: false,
  invite: true,
  attempts: 6,
  backoff: { first: 1000, max: 60_000 },
  deadlineMs: 3_600_000,
  rate: { limit: 10, perMs: 1000, and: [] },
};
const target = { service: 'https://service', source: 'staff', settings };
const ann: PlannedCall = { key: 'ann@example.com', action: 'new', fingerprint: 'f1', groups: '["A"]' };
const bob: PlannedCall = { key: 'bob@example.com', action: 'changed', fingerprint: 'f2', groups: '["B"]' };

function hashOf(calls: readonly PlannedCall[], where: typeof target = target): string {
  const hash = new PlanHash(where);
  for (const call of calls) hash.add([call]);
  return hash.digest();
}

describe('the hash of a plan', () => {
  it('is the same for the same calls however they are paged, and another for any other call, action, body or setting', () => {
    const whole = new PlanHash(target);
    whole.add([ann, bob]);
    const hash = whole.digest();
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.equal(hashOf([ann, bob]), hash);
    const others = [
      hashOf([ann]),
      hashOf([ann, { ...bob, action: 'again' }]),
      hashOf([ann, { ...bob, fingerprint: 'f3' }]),
      hashOf([ann, { ...bob, groups: '["B", "C"]' }]),
      hashOf([ann, { ...bob, key: 'bea@example.com' }]),
      hashOf([ann, bob], { ...target, settings: { ...settings, forceSync: true } }),
      hashOf([ann, bob], { ...target, settings: { ...settings, invite: false } }),
      hashOf([ann, bob], { ...target, service: 'https://other' }),
    ];
    assert.equal(new Set([hash, ...others]).size, others.length + 1);
  });

  it('is not changed by a rate, which changes nothing of what arrives', () => {
    const slow = { ...target, settings: { ...settings, rate: { ...settings.rate, limit: 1 } } };
    assert.equal(hashOf([ann], slow), hashOf([ann]));
  });
});

describe('what a plan says', () => {
  it('its time is that of the pace which the service bore, and says when that is too long', () => {
    assert.deepEqual(estimatePlan(11, settings, 1), {
      ...{ ms: 1000, rate: '10/s', share: 1, deadlineMs: 3_600_000, isInTime: true },
    });
    assert.equal(estimatePlan(11, settings, 0.5).ms, 2000);
    assert.equal(estimatePlan(36_100, settings, 1).isInTime, false);
  });

  it('what forceSync takes away is never a bare 0', () => {
    assert.match(
      removalNotice({ people: 0, memberships: 0 }).sentence,
      /none of the groups we gave; groups assigned by hand/,
    );
    assert.match(removalNotice({ people: 1, memberships: 3 }).sentence, /at least 3 group memberships of 1 person/);
  });

  it('settings that changed are named with both values', () => {
    assert.deepEqual(settingChanges(settings, settings), []);
    assert.deepEqual(settingChanges(settings, { ...settings, forceSync: true, deadlineMs: 90_000 }), [
      { setting: 'forceSync', before: 'off', now: 'on' },
      { setting: 'deadline', before: '1h', now: '90s' },
    ]);
  });

  it('what changed of a person is said part by part', () => {
    const before = {
      firstname: 'Ann',
      lastname: 'Ek',
      email: 'a@x',
      telephone: '1',
      groups: ['A', 'B'],
      forceSync: false,
    };
    const now = { firstname: 'Ann', lastname: 'Lind', email: 'A@x', groups: ['B', 'C'], forceSync: true };
    assert.deepEqual(whatChanged({ before, now }), [
      ...['name was Ann Ek', 'address was a@x', 'telephone was 1', '+ C', '- A', 'forceSync on'],
    ]);
    const kept = { before, now: { ...before, groups: ['B'] } };
    assert.deepEqual(whatChanged(kept, ' (see the list)'), ['keeps A at the service (see the list)']);
    assert.deepEqual(whatChanged({ before, now: before }), []);
  });
});

describe('R13: time never runs backwards for a person', () => {
  const newest = { runId: 'r2', time: '2026-01-20T00:00:00.000Z', checksum: 'new' };
  const same = { runId: 'r1', time: '2026-01-10T00:00:00.000Z', checksum: 'old' };
  const at = (day: number, checksum: string) => ({ time: new Date(Date.UTC(2026, 0, day)).toISOString(), checksum });

  it('holds what is older than the newest roster sent, and the bytes of one before it; nothing else', () => {
    assert.equal(judgeRosterTime(at(1, 'any'), {}), undefined);
    const files = { 'b.csv': '2026-01-05T14:03:00.000Z', 'a.csv': '2026-01-06T14:03:00.000Z' };
    assert.equal(judgeOlderFiles([], files), undefined);
    assert.match(
      judgeOlderFiles(['a@example.com', 'b@example.com'], files)?.message ?? '',
      /^Events that came after the files of 2 people .* is b\.csv, from 2026-01-05 14:03 UTC\./,
    );
    assert.equal(judgeRosterTime(at(21, 'any'), { newest }), undefined);
    assert.equal(judgeRosterTime(at(20, 'any'), { newest }), undefined);
    assert.equal(judgeRosterTime(at(1, 'new'), { newest, same: newest }), undefined);
    const older = judgeRosterTime(at(19, 'any'), { newest });
    assert.deepEqual([older?.guard, older?.scope], ['time', 'all']);
    assert.match(
      older?.message ?? '',
      /from 2026-01-19 00:00 UTC, but run r2 has already sent one from 2026-01-20 00:00 UTC/,
    );
    assert.match(
      judgeRosterTime(at(21, 'old'), { newest, same })?.message ?? '',
      /the roster of run r1.*run r2 has sent a newer/,
    );
  });
});
