import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DemoEvidence, findDiscrepancies } from '../../src/cli/commands/demo-evidence.ts';

const roster = { rows: 4, members: 2, merged: 1, filtered: 0, rejects: 1 };
const plan = { new: 2, changed: 0, again: 0, unchanged: 0, later: 0, departed: 0, leftBehind: 0 };
const outcome = { succeeded: 2, partial: 0, failed: 0, unknown: 0, superseded: 0, cancelled: 0 };
const groups = [
  { group: 'All', calls: 2, inserts: 2, warnings: 0, failures: 0 },
  { group: 'Sales', calls: 2, inserts: 1, warnings: 1, failures: 0 },
];

function evidence(): DemoEvidence {
  const first = {
    run: 'a',
    status: 'finished' as const,
    roster,
    plan,
    outcome,
    groups,
    inserts: 3,
    warnings: 1,
    calls: 2,
  };
  const again = { ...first, plan: { ...plan, new: 0, unchanged: 2 }, inserts: 0, warnings: 0, calls: 0 };
  const sandboxAfterFirst = { calls: 2, inserts: 3, warnings: 1 };
  const counts = { people: 2, answered: 1, wrongly: 0, partly: 0, notAnswered: 1, notYetGiven: 0 };
  const story = { ID: '4711', name: 'Fire safety', app: { ID: '12', name: 'Onboarding', version: '3.1.0' } };
  return structuredClone({
    first,
    completion: { story, total: counts, groups: [] },
    again,
    sandboxAfterFirst,
    callsOfAgain: 0,
    invited: ['ann@example.com'],
    invitationsPending: 0,
    alreadyThere: 1,
  });
}

describe("the demo's evidence", () => {
  it('is in order when receipts and sandbox agree', () => {
    assert.deepEqual(findDiscrepancies(evidence()), []);
  });

  const spoiled: [what: string, spoil: (evidence: DemoEvidence) => void][] = [
    ['a row is not accounted for', ({ first }) => (first.roster.rows += 1)],
    ['somebody is not new', ({ first }) => (first.plan.new -= 1)],
    ['somebody did not succeed', ({ first }) => (first.outcome.succeeded -= 1)],
    ['a receipt is missing', ({ first }) => (first.calls -= 1)],
    ['a group has one insert more', ({ first }) => (first.groups[0]!.inserts += 1)],
    ['a group has one warning more', ({ first }) => (first.groups[0]!.warnings += 1)],
    ['the sandbox saw another call', ({ sandboxAfterFirst }) => (sandboxAfterFirst.calls += 1)],
    ['the sandbox made fewer inserts', ({ sandboxAfterFirst }) => (sandboxAfterFirst.inserts -= 1)],
    ['the sandbox gave another warning', ({ sandboxAfterFirst }) => (sandboxAfterFirst.warnings += 1)],
    ['fewer people were there already', (all) => (all.alreadyThere -= 1)],
    ['the second import found somebody changed', ({ again }) => (again.plan.unchanged -= 1)],
    ['the second import has a receipt', ({ again }) => (again.calls += 1)],
    ['the second import called the sandbox', (evidence) => (evidence.callsOfAgain += 1)],
    ['somebody was invited twice', (all) => (all.invited = ['ann@example.com', 'ann@example.com'])],
    ['nobody was invited', (all) => (all.invited = [])],
    ['somebody is missing in the completion', ({ completion }) => (completion.total!.people -= 1)],
    ['somebody waits for their groups', ({ completion }) => (completion.total!.notYetGiven += 1)],
    ['an invitation is late', (all) => (all.invitationsPending += 1)],
  ];
  for (const [what, spoil] of spoiled) {
    it(`is refused when ${what}`, () => {
      const all = evidence();
      spoil(all);
      assert.notDeepEqual(findDiscrepancies(all), []);
    });
  }
});
