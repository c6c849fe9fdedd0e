// Chooses the next step that the last line of a result recommends.
import { countUndelivered } from '../../core/call/outcome.ts';
import { count, figure } from '../../core/text/format.ts';
import { rejectsToCorrect } from '../plan/plan-sentences.ts';
import type { Problem, RunReport } from '../run/run-report.ts';

/** What to do about deliveries that ended so; only a run that has ended can be retried. */
export function nextStepFor(outcome: Problem['outcome'], { run, pending }: Pick<RunReport, 'run' | 'pending'>): string {
  const retry = `${pending > 0 ? '; once the run has ended' : ', then'}: roster-sync retry ${run}`;
  switch (outcome) {
    case 'failed':
      return `fix the cause${retry}`;
    case 'partial':
      return `some of their groups were not accepted; fix the cause${retry}`;
    case 'unknown':
      return `the call may have arrived; check the answers with roster-sync show ${run}${retry}`;
  }
}

/** The last line of every result: how many rejects there are, and what to do next. */
export function nextLine(report: RunReport): string {
  const rejects = rejectsToCorrect(report.roster);
  const changes = report.rejectSamples.flatMap(({ identityChange }) => identityChange ?? []);
  const all = changes.includes('moved') ? ` (roster-sync resolve --run ${report.run})` : '';
  const first =
    rejects === 0
      ? `no rejects${report.roster.rejects > 0 ? ' to correct' : ''}`
      : `${count(rejects, 'reject')} to ${changes.length > 0 ? `resolve${all}, or to ` : ''}correct and import`;
  return `${first}; ${todo(report)}`;
}

function whoGoesOn({ mode }: RunReport): string {
  return mode === 'production'
    ? 'no worker runs, so start one: roster-sync worker; or deliver it here: '
    : 'nobody delivers; to continue: ';
}

function todo(report: RunReport): string {
  const { run, status, supersededBy, dryRun, pending, outcome } = report;
  const undelivered = countUndelivered(outcome);
  const waiting = `${figure(pending)} not sent yet`;
  if (status === 'failed') return 'nothing was sent: fix the roster and run it again';
  if (dryRun) {
    if (status === 'held') return 'a guard would hold this; nothing was sent';
    return 'to send it, run it again without --dry-run';
  }
  switch (status) {
    case 'held':
      return `${pending === 0 ? 'nobody to send' : waiting}; check the plan, then: roster-sync approve ${run}, or roster-sync cancel ${run}`;
    case 'halted':
      return `${waiting}; fix the cause, then: roster-sync resume ${run}`;
    case 'paused':
      return `${waiting}; to continue: roster-sync resume ${run}`;
    case 'planning':
    case 'delivering':
      if (report.isAbandoned) return `${waiting}; ${whoGoesOn(report)}roster-sync resume ${run}`;
      return `${waiting}; to see how it goes: roster-sync show ${run}`;
    case 'finished':
    case 'finished-with-failures':
      return undelivered > 0 ? `${figure(undelivered)} not delivered: roster-sync retry ${run}` : 'nothing else to do';
    case 'cancelled':
      // The people it did not deliver are in the plan of the newer one.
      if (supersededBy !== undefined) return 'a newer run has taken its place';
      if (undelivered > 0) return `${figure(undelivered)} not delivered: the next roster that names them sends them`;
      return 'nothing else to do';
  }
}
