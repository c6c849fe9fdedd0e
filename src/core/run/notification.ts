// Builds a notification about a run or answers: figures and what to do next, never a person; and chooses its form.
import { type ActStep, type NextStep, onRun } from '../errors.ts';
import { countUndelivered, type Outcome } from '../call/outcome.ts';
import { defined } from '../defined.ts';
import { maskAddresses } from '../person/mask.ts';
import type { RunStatus } from './states.ts';
import type { RosterCounts, RunPlan } from './run.ts';
import { escapeText, count as countOf, figure, moment, cutText, withoutQuotes } from '../text/format.ts';
import { say } from '../words/say.ts';

/** The events of a run that are announced. `reminder`: part of it is still held; `expired`: nobody approved that in time. */
export const runEvents = [
  'held',
  'halted',
  'failed',
  'paused',
  'breaker',
  'finished-with-failures',
  'finished',
  'reminder',
  'expired',
] as const;
export type RunEvent = (typeof runEvents)[number];

/** What comes to whoever is notified about `held`, and cannot be asked for by itself. */
export const afterHeld: readonly RunEvent[] = ['reminder', 'expired'];

/** Ways in which people, and monitors, are told; `src/notify` sends by each. */
export type Channel = 'webhook' | 'mail' | 'heartbeat';

/** A channel, and the events that it announces. */
export interface Subscription {
  channel: Channel;
  events: readonly RunEvent[];
}

export interface NoticeFacts {
  event: RunEvent;
  run: string;
  source: string;
  service: string;
  status: RunStatus;
  /** Why it is in that state; empty when there is nothing to say. */
  reason: string;
  trips: readonly { guard: string; message: string; brief?: string; next?: readonly NextStep[] }[];
  roster?: RosterCounts;
  plan?: Pick<RunPlan, 'counts' | 'calls' | 'possibleInvitations' | 'groups'>;
  outcome: Partial<Record<Outcome, number>>;
}

export interface AnswersFacts {
  service: string;
  dueAt: Date;
  reason: string;
}

/** A line, and the next steps where there are any. */
export type NoticeLine = string | { text: string; next: readonly NextStep[] };

/** Nothing that a roster or a server wrote is in it: a name of a column or group may be a person's. */
export interface Notice {
  /** For programs: `run.held`, `answers.failed`, `test`. */
  type: string;
  /** One line. */
  subject: string;
  /** Lines of plain text without control characters. A channel still has to escape them in its own way. */
  lines: NoticeLine[];
  next: readonly ActStep[];
  /** Which source it is about; absent in a test, and of answers. */
  source?: string;
  /** Which run, likewise. */
  run?: string;
  data: object;
}

const mostTrips = 20;
const longestText = 600;

export const testNotice: Notice = {
  type: 'test',
  subject: 'roster-sync: a test',
  lines: ['This is a test of roster-sync. Nothing has happened, and there is nothing to do.'],
  next: [],
  data: {},
};

export function noticeOf(facts: NoticeFacts): Notice {
  const { event, run, source, service, status, trips, roster, plan, outcome } = facts;
  const reason = clean(facts.reason);
  const stopped = trips.map(({ guard, message, brief = message, next }) => {
    return { guard, message: clean(brief), ...defined({ next }) };
  });
  const happened = sentenceOf(facts);
  return {
    type: `run.${event}`,
    subject: `roster-sync: ${clean(source)} ${happened.short}`,
    lines: [
      `Run ${run} of ${clean(source)} at ${clean(service)} ${happened.long}`,
      ...(reason === '' ? [] : [`Why: ${reason}`]),
      ...(event === 'held' || event === 'reminder'
        ? stopped.slice(0, mostTrips).map(({ guard, message, next }) => {
            const text = `${guard}: ${message}`;
            return next ? { text, next } : text;
          })
        : []),
      ...figuresOf(facts),
      `What to do: ${happened.todo}`,
    ],
    next: onRun(run, 'get', ...(furtherActs[event] ?? [])),
    source,
    run,
    data: {
      run,
      source: clean(source),
      service: clean(service),
      status,
      reason,
      guards: stopped,
      outcome,
      ...defined({
        roster,
        plan: plan?.counts,
        calls: plan?.calls,
        possibleInvitations: plan?.possibleInvitations,
        groups: plan?.groups.length,
      }),
    },
  };
}

export function noticeOfAnswers({ service, dueAt, reason }: AnswersFacts): Notice {
  const why = clean(reason);
  const at = `${moment(dueAt.toISOString(), 'UTC')} UTC`;
  return {
    type: 'answers.failed',
    subject: 'roster-sync: answers could not be kept',
    lines: [
      `The answers of ${clean(service)} that were due at ${at} were not kept, or not all of them.`,
      `Why: ${why}`,
      'What to do: fix the cause. The answers are fetched again at the next due time. You get no more messages about this until answers are kept again.',
    ],
    next: [{ act: 'stories.history' }, { act: 'sources.schedules' }],
    data: { service: clean(service), due: dueAt.toISOString(), reason: why },
  };
}

/** On one line, without what others wrote, without control characters, with addresses masked, and not endless. */
function clean(text: string): string {
  const lines = cutText(withoutQuotes(text), longestText).split('\n');
  // Of a list of columns nothing is left but quotes with nothing in them: `Columns found: "…", "…" and 3 more.`
  const said = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('Columns found: '));
  return escapeText(maskAddresses(said.join(' ')));
}

function sentenceOf({ event, status, outcome }: NoticeFacts): { short: string; long: string; todo: string } {
  const left = countUndelivered(outcome);
  const isHold = event === 'held' || event === 'reminder';
  const held = status === 'held' ? 'held' : 'held-in-part';
  const other = event === 'finished-with-failures' && left > 0 ? 'undelivered' : event;
  const said = say(`notice-${isHold ? held : other}`, left, { still: event === 'reminder' ? ' still' : '' });
  const [short = '', long = '', todo = ''] = said.split(' / ');
  return { short, long, todo };
}

/** Besides a look at it. */
const furtherActs: Readonly<Partial<Record<RunEvent, readonly ('approve' | 'cancel' | 'resume' | 'retry')[]>>> = {
  held: ['approve', 'cancel'],
  reminder: ['approve', 'cancel'],
  halted: ['resume'],
  paused: ['resume'],
  'finished-with-failures': ['retry'],
};

function figuresOf({ roster, plan, outcome }: NoticeFacts): string[] {
  const lines: string[] = [];
  if (roster) {
    const { rows, members, filtered, rejects } = roster;
    lines.push(
      `Roster: ${listed({ rows, people: members, filtered, rejects }, ['rows', 'people', 'rejects']) || 'nothing'}`,
    );
  }
  if (plan) {
    const { counts, calls, possibleInvitations, groups } = plan;
    const invited = possibleInvitations > 0 ? `; ${countOf(possibleInvitations, 'possible invitation')}` : '';
    lines.push(`Plan: ${listed({ ...counts }, ['new', 'changed', 'unchanged'])}; ${countOf(calls, 'call')}${invited}`);
    if (groups.length > 0) lines.push(`Groups: ${figure(groups.length)}`);
  }
  const ended = listed(outcome, []);
  if (ended !== '') lines.push(`So far: ${ended}`);
  return lines;
}

const words: Readonly<Record<string, string>> = { leftBehind: 'left behind', leftBehindGroups: 'groups left behind' };

/** `9,600 rows, 12 rejects`: what is not 0, and what is always said. */
function listed(counts: Readonly<Record<string, number>>, always: readonly string[]): string {
  return Object.entries(counts)
    .filter(([name, count]) => count > 0 || always.includes(name))
    .map(([name, count]) => `${figure(count)} ${words[name] ?? name}`)
    .join(', ');
}

/** `slack`: Block Kit. `teams`: an Adaptive Card. `json`: for programs, with a `text` for Mattermost and the like. */
export const messageFormats = ['slack', 'teams', 'json'] as const;
export type MessageFormat = (typeof messageFormats)[number];

/**
 * The hosts of incoming webhooks and of workflows (Power Automate):
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook,
 * https://learn.microsoft.com/power-automate/ip-address-configuration
 */
const hosts: [RegExp, MessageFormat][] = [
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  [/\.webhook\.office\.com$/, 'teams'],
  [/\.logic\.azure\.(?:com|us)$/, 'teams'],
  [/(?:^|\.)(?:powerautomate|powerplatform)\.com$/, 'teams'],
];

export function formatFor({ hostname }: URL): MessageFormat {
  return hosts.find(([pattern]) => pattern.test(hostname))?.[1] ?? 'json';
}
