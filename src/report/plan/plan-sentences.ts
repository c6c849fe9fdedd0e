// The sentences that plans and results share.
import type { Departures, PlanChanges, PlanCounts, RosterCounts, SettingChange } from '../../core/run/run.ts';
import { count, figure, someOf } from '../../core/text/format.ts';
import { say } from '../../core/words/say.ts';
import type { RunDetails, RunReport } from '../run/run-report.ts';

export function rowsSentence(roster: RosterCounts, mergedLines: readonly (readonly number[])[] = []): string {
  const { rows, members, merged, filtered, rejects, erased = 0 } = roster;
  const figures = { used: figure(members + merged), filtered: figure(filtered), rejects: figure(rejects) };
  const said = { ...figures, erased: figure(erased), people: peopleOnRows(members, merged, mergedLines) };
  if (filtered > 0) return say(erased > 0 ? 'rowsFilteredErased' : 'rowsFiltered', rows, said);
  return say(erased > 0 ? 'rowsErased' : 'rowsUsed', rows, said);
}

function peopleOnRows(people: number, merged: number, mergedLines: readonly (readonly number[])[]): string {
  if (merged === 0) return say('peopleOfRows', people);
  const further = mergedLines.reduce((sum, lines) => sum + lines.length - 1, 0);
  if (merged === 1) return say('peopleOnTwoRows', people);
  // Only where all of these people are listed can their number be said.
  if (further !== merged) return say('peopleOnFurtherRows', people, { further: figure(merged) });
  const rows = mergedLines.every(({ length }) => length === 2) ? 'two rows' : 'several rows';
  return `${count(people, 'person', 'people')} (${figure(mergedLines.length)} on ${rows})`;
}

export function rejectsToCorrect({ rejects, erased = 0 }: RosterCounts): number {
  return rejects - erased;
}

/** `6 rows`, and how many of them are of people who were erased. */
export function rejectedRows({ rejects, erased = 0 }: RosterCounts): string {
  const of = erased === 1 ? 'a person who was erased' : 'people who were erased';
  if (erased === 0) return count(rejects, 'row');
  return `${count(rejects, 'row')}${erased === rejects ? '' : `, ${figure(erased)} of them`} of ${of}`;
}

/** `3 cells were changed by anna@laptop`, before the run was planned. */
export function changedSentence(corrections: NonNullable<RunDetails['corrections']>): string {
  const cells = corrections.reduce((sum, each) => sum + each.cells, 0);
  return say('cellsChanged', cells, { names: someOf([...new Set(corrections.map(({ by }) => by))]) });
}

/** `200 new, 0 changed, 0 unchanged`, and what else there is. */
export function planSentence(plan: PlanCounts): string {
  const { again, later } = plan;
  const figures = { fresh: figure(plan.new), changed: figure(plan.changed), unchanged: figure(plan.unchanged) };
  const said = { ...figures, again: figure(again), later: figure(later) };
  if (again > 0) return say(later > 0 ? 'plannedAgainLater' : 'plannedAgain', 1, said);
  return say(later > 0 ? 'plannedLater' : 'planned', 1, said);
}

/** `12 with groups added, 3 with another name`; undefined if there is nothing to say. */
export function changesSentence(changes: PlanChanges | undefined, isForced: boolean, seeKept = ''): string | undefined {
  if (!changes) return undefined;
  const { names, addresses, telephones, groupsAdded, groupsRemoved, forceSync } = changes;
  const parts = [
    [groupsAdded, 'with groups added'],
    [groupsRemoved, isForced ? 'with groups removed' : `with groups kept at the service${seeKept}`],
    [names, 'with another name'],
    [telephones, 'with another telephone'],
    [addresses, 'with a changed address'],
    [forceSync, 'with another forceSync'],
  ] as const;
  const said = parts.filter(([people]) => people > 0).map(([people, what]) => `${figure(people)} ${what}`);
  return said.length === 0 ? undefined : `Changed: ${said.join(', ')}`;
}

/** Where people were not sent, that the table of groups has only those for which calls were made. */
export function groupsSentences({ pending, outcome }: Pick<RunReport, 'pending' | 'outcome'>): string[] {
  return pending + outcome.cancelled > 0 ? ['Only groups for which calls were made; not everybody was sent.'] : [];
}

/** Settings that differ from those of the source's last run: `since its last run: forceSync off -> on`. */
export function settingsSentence(changes: readonly SettingChange[]): string {
  return `since its last run: ${changes.map(({ setting, before, now }) => `${setting} ${before} -> ${now}`).join(', ')}`;
}

/** What of an old run is no longer kept; undefined if all is. */
export function removedSentence(run: {
  answersRemovedAt: Date | null;
  rosterRemovedAt: Date | null;
  receiptsRemovedAt: Date | null;
}): string | undefined {
  if (run.receiptsRemovedAt)
    return 'Its people, calls and answers are no longer kept (retention) and are missing from the figures below.';
  if (run.rosterRemovedAt)
    return 'Its people and rejects are no longer kept (retention) and are missing from the groups below.';
  if (run.answersRemovedAt) return 'The answers as received are no longer kept (retention).';
  return undefined;
}

/** Who has left, and what is done about it, a sentence each. */
function departureSentences(
  { departed, left, sent, waiting, elsewhere = 0, forceSync = false }: Departures,
  seeLeft: string,
): string[] {
  const fresh = Math.min(departed, left);
  return [
    left > 0 || departed > elsewhere
      ? `${say(fresh > 0 ? 'leftSinceRoster' : 'leftWithAccess', left, { fresh: figure(fresh) })}${seeLeft}`
      : '',
    sent > 0 ? say(forceSync ? 'leaveOnlyLeavers' : 'putIntoLeavers', sent) : '',
    waiting > 0 ? say('waitForRoster', waiting) : '',
    elsewhere > 0 ? say('leftElsewhere', elsewhere) : '',
  ];
}

/** One sentence each, with where those people are named as its end: groups that cannot be taken away, people who have left, people whose day has not come. */
export function leftSentences(
  plan: PlanCounts,
  departures?: Departures,
  { seeKept, seeLeft } = { seeKept: '', seeLeft: '' },
): string[] {
  const { leftBehind, leftBehindGroups, departed, later } = plan;
  const groups = leftBehindGroups === undefined ? undefined : say('groupsCounted', leftBehindGroups);
  return [
    leftBehind > 0
      ? `${say(groups === undefined ? 'keepGroups' : 'keepCountedGroups', leftBehind, { groups })}${seeKept}`
      : '',
    later > 0 ? say('waitForDay', later) : '',
    ...(departures ? departureSentences(departures, seeLeft) : []),
    departed > 0 && !departures ? say('notInRoster', departed) : '',
  ].filter((sentence) => sentence !== '');
}
