// Checks the demo's receipts against the sandbox's own record, and names the first figure that differs.
import type { completionJson } from '../../report/story/completion-report.ts';
import type { GroupTotals, RunReport } from '../../report/run/run-report.ts';

/** What a run says about itself with `--json`, as far as the demo looks at it. */
export type RunFigures = Pick<
  RunReport,
  'run' | 'status' | 'roster' | 'plan' | 'outcome' | 'inserts' | 'warnings' | 'calls'
> & { groups: GroupTotals[] };

/** What `completion --json` says about the same people. */
export type CompletionFigures = Pick<ReturnType<typeof completionJson>, 'story' | 'total' | 'groups'>;

/** What the sandbox counted up to some moment. */
export interface SandboxCount {
  calls: number;
  inserts: number;
  warnings: number;
}

/** Both sides of the demo: what the receipts say, and what the sandbox saw for itself. */
export interface DemoEvidence {
  /** The import, from its receipts. */
  first: RunFigures;
  /** The same import again. */
  again: RunFigures;
  /** Who of them has answered a story. */
  completion: CompletionFigures;
  sandboxAfterFirst: SandboxCount;
  /** Calls that the sandbox counted during the same import again. */
  callsOfAgain: number;
  /** Everybody who was invited once the sandbox's clock had moved on, as often as they were. */
  invited: readonly string[];
  invitationsPending: number;
  /** People who were in one of their groups at the service before: a warning each, and no invitation. */
  alreadyThere: number;
}

/** Every number of the demo that is not what it must be, one sentence each; empty when all add up. */
export function findDiscrepancies(evidence: DemoEvidence): string[] {
  const { first, again, completion, sandboxAfterFirst, callsOfAgain, invited, alreadyThere } = evidence;
  const { rows, members, merged, filtered, rejects } = first.roster;
  const sum = (key: 'inserts' | 'warnings'): number => first.groups.reduce((total, group) => total + group[key], 0);
  const checks: [what: string, found: number, wanted: number][] = [
    ['rows that are accounted for', members + merged + filtered + rejects, rows],
    ['new people', first.plan.new, members],
    ['people who succeeded', first.outcome.succeeded, members],
    ['calls in the receipts', first.calls, members],
    ['calls that the sandbox counted', sandboxAfterFirst.calls, first.calls],
    ['inserts of all groups', sum('inserts'), first.inserts],
    ['inserts that the sandbox counted', sandboxAfterFirst.inserts, first.inserts],
    ['warnings of all groups', sum('warnings'), first.warnings],
    ['warnings that the sandbox counted', sandboxAfterFirst.warnings, first.warnings],
    ['warnings', first.warnings, alreadyThere],
    ['unchanged people the second time', again.plan.unchanged, members],
    ['calls of the second time', again.calls, 0],
    ['calls that the sandbox counted the second time', callsOfAgain, again.calls],
    ['invitations', invited.length, members - alreadyThere],
    ['people invited', new Set(invited).size, invited.length],
    ['people who have answered or not', completion.total?.people ?? 0, members],
    ['people who are still to be given their groups', completion.total?.notYetGiven ?? 0, 0],
    ['invitations still to come', evidence.invitationsPending, 0],
  ];
  return checks.flatMap(([what, found, wanted]) =>
    found === wanted ? [] : [`${what}: ${found} instead of ${wanted}`],
  );
}
