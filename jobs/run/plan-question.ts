// Turns a source's rules (resend, first days, departures) into the questions that planning asks the ledger.
import type { SourceConfig } from '../../config/source-schema.ts';
import { dayBegan, dayOf } from '../../src/core/cells/days.ts';
import { defined } from '../../src/core/defined.ts';
import type { Mapping } from '../../src/core/mapping/mapping.ts';
import type { Trigger } from '../../src/core/run/run.ts';
import type { PlanQuestion } from '../../src/ledger/planning/planning.ts';

/** The triggers whose rosters are complete, so that an absent person has left. */
const judgesAbsence: readonly Trigger[] = ['sync', 'schedule', 'api'];

/** A run as far as its source's rules about time and absence are concerned. */
export interface RunOfSource {
  trigger: Trigger;
  invite: boolean;
  /** Whether the roster holds only some of the source's people. */
  partial: boolean;
  now: Date;
}

/** The time zone of a source: that of its schedule, else of this machine. */
export function timezoneOf(source: SourceConfig | undefined): string {
  return source?.schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** What a source's rules ask of its plan: who is sent again after a time, who is postponed, and who left. */
export function questionOf(
  source: SourceConfig | undefined,
  { leavers, optedOut, fields }: Pick<Mapping, 'leavers' | 'optedOut' | 'fields'>,
  { trigger, invite, partial, now }: RunOfSource,
): Pick<PlanQuestion, 'refreshMs' | 'postpone' | 'departures'> {
  const { refresh = Infinity, invites, snapshot = false, departed } = source ?? {};
  const timezone = timezoneOf(source);
  const budget = invites && invite ? { ...invites, dayBegan: dayBegan(now, timezone) } : undefined;
  const isSnapshot = snapshot && !partial && judgesAbsence.includes(trigger);
  return {
    ...(Number.isFinite(refresh) && { refreshMs: refresh }),
    ...((fields.startDate ?? budget) && { postpone: { today: dayOf(now, timezone), ...defined({ budget }) } }),
    ...((isSnapshot || leavers.length > 0) && {
      departures: { isSnapshot, spared: [...optedOut], ...defined({ policy: departed }) },
    }),
  };
}
