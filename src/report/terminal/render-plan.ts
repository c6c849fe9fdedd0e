// Shows a plan as text on the terminal.
import { escapeText, quote, shownText, count, estimate } from '../../core/text/format.ts';
import { type ChangedMember, whatChanged, type Member } from '../../core/person/member.ts';
import { formSentence, readAsLines } from './form-sentence.ts';
import { tableOf } from './columns.ts';
import { flow } from './layout.ts';
import { beside, indent, labelled, labelledLines, labelWidth, paint, type Style } from './style.ts';
import {
  changesSentence,
  leftSentences,
  planSentence,
  rowsSentence,
  settingsSentence,
} from '../plan/plan-sentences.ts';
import { noService, type PlanView } from '../plan/plan-row.ts';
import { whereNamed } from './commands.ts';
import { heldSentence, reasonLines } from './render-hold.ts';
import { describeRejects } from './reject-samples.ts';

export interface PlanOptions {
  /** Every group, and the lines of people who stand on several rows. */
  verbose?: boolean;
  /** The groups with the most people, before the samples. */
  groups?: boolean;
  /** The first few rejects; false if the run's result, which says them too, follows at once. Default true. */
  rejects?: boolean;
  held?: boolean;
}

/** The plan as lines of text, without a line break at the end. */
export function renderPlan(
  view: PlanView,
  style: Style,
  { verbose = false, rejects = true, groups = false, held = true }: PlanOptions = {},
): string {
  const lines = [
    sourceLine(view, style),
    ...knownLines(view),
    ...readLines(view, style),
    ...planLines(view, style),
    ...(groups && !verbose && view.calls > 0
      ? groupLines(view.groups.slice(0, mostGroups), view.groups.length, style)
      : []),
    ...sampledLines(view, style),
    ...(held ? decisionLines(view, style) : []),
    ...(held ? heldLines(view, style) : []),
  ];
  if (verbose) lines.push(...detailLines(view, style));
  if (rejects && view.roster.rejects > 0) {
    const items = describeRejects(view.rejectSamples, view.roster.rejects, view.form.file, !verbose);
    const head = `${count(view.roster.rejects, 'row')} rejected: `;
    const [first = '', ...more] = flow(items, ' | ', style.width - labelWidth - head.length);
    lines.push(
      indent + paint(style, 'warn', head) + first,
      ...more.map((line) => indent + ' '.repeat(head.length) + line),
    );
  }
  return lines.join('\n');
}

function knownLines({ nobodyKnown, service }: PlanView): string[] {
  if (service === noService)
    return [`${indent}everyone counts as new: without ROSTER_SYNC_BASE_URL nothing is compared with what was sent`];
  return nobodyKnown ? [`${indent}nobody is known here yet: everyone is new`] : [];
}

function sourceLine({ source, form, service }: PlanView, style: Style): string {
  const from = source === form.file ? escapeText(source) : `${escapeText(source)} (${escapeText(form.file)})`;
  return labelled('Source', `${from} -> service ${paint(style, 'label', escapeText(service))}`, style);
}

function readLines({ roster, mergedLines, form, columns, remarks }: PlanView, style: Style): string[] {
  const [first = '', ...more] = beside(rowsSentence(roster, mergedLines), formSentence(form), style);
  const mapped = columns.map(({ column, field }) => `${shownText(column)}>${escapeText(field)}`);
  return [
    labelled('Read', first, style),
    ...more,
    ...readAsLines(form),
    ...flow(mapped, '  ', style.width - labelWidth).map((line) => indent + line),
    ...[...form.notes, ...remarks].flatMap((remark) => remarkLines(remark, style)),
  ];
}

/** A remark, broken between words. */
function remarkLines(remark: string, style: Style): string[] {
  const lines = flow(escapeText(remark).split(' '), ' ', style.width - labelWidth - 2);
  return lines.map((line, at) => indent + (at === 0 ? paint(style, 'warn', '! ') : '  ') + line);
}

function planLines(view: PlanView, style: Style): string[] {
  const { plan, calls, forceSync } = view;
  const remarks = leftSentences(plan, view.departures, whereNamed).map((sentence) => indent + sentence);
  if (calls === 0) return [labelled('Plan', `${planSentence(plan)}; nothing to send`, style), ...remarks];
  const parts = [planSentence(plan)];
  if (calls !== plan.new + plan.changed + plan.again) parts.push(count(calls, 'call'));
  parts.push(count(view.groups.length, 'group'), invitationsSentence(view), `forceSync ${forceSync ? 'ON' : 'off'}`);
  parts.push(`about ${estimate(view.estimatedMs)} at ${escapeText(view.rate)}${bornSentence(view)}`);
  const forced = 'forceSync is ON: the service may take these people out of groups that are not named here';
  return [
    ...labelledLines('Plan', flow(parts, '; ', style.width - labelWidth), style),
    ...(forceSync ? [indent + paint(style, 'bad', forced)] : []),
    ...noticeLines(view, style),
    ...remarks,
  ];
}

/** Of the rate, what the service bore when it was last called. */
function bornSentence({ share = 1 }: PlanView): string {
  return share < 1 ? `, of which the service last sustained ${Math.max(1, Math.round(share * 100))} %` : '';
}

function noticeLines(view: PlanView, style: Style): string[] {
  const { removals, settingsChanged = [], changes, deadlineMs, estimatedMs } = view;
  const late =
    deadlineMs === undefined
      ? undefined
      : `it cannot finish within its deadline of ${estimate(deadlineMs)}: it takes about ${estimate(estimatedMs)}; send the rest with \`retry\``;
  const changed = changesSentence(changes, view.forceSync, whereNamed.seeKept);
  return [
    ...(removals ? remarkLines(removals.sentence, style) : []),
    ...(settingsChanged.length > 0 ? remarkLines(settingsSentence(settingsChanged), style) : []),
    ...(late === undefined ? [] : remarkLines(late, style)),
    ...(changed === undefined ? [] : [indent + changed]),
    ...silentLines(view, style),
  ];
}

/** What it means to send newcomers without an invitation. */
function silentLines({ invite, plan }: PlanView, style: Style): string[] {
  if (invite || plan.new === 0) return [];
  const who = count(plan.new, 'new person', 'new people');
  return remarkLines(
    `invite is off: ${who} will get an account but no invitation. As far as the interface says, only newly added users ` +
      'are invited: a later run with invite on does not make up for it',
    style,
  );
}

/** Some of the people: as they are sent, and what changed of those who changed. */
function sampledLines({ calls, columns, samples, changed = [] }: PlanView, style: Style): string[] {
  if (calls === 0) return [];
  const columnOf = (name: string): string | undefined => columns.find(({ field }) => field === name)?.column;
  const isSplit = columnOf('firstname') === columnOf('lastname');
  return [
    ...samples.flatMap((member, at) => sampleLines(member, { isSplit, head: at === 0 ? 'e.g. ' : '     ' }, style)),
    ...changed.flatMap((member) => changedLines(member, style)),
  ];
}

/** `changed Åse Lindqvist <ase.lindqvist@example.com>: + Sales, - Brand` */
function changedLines(member: ChangedMember, style: Style): string[] {
  const { firstname, lastname, email } = member.now;
  const [first = '', ...others] = whatChanged(member, whereNamed.seeKept).map(escapeText);
  const items = [`${escapeText(firstname)} ${escapeText(lastname)} <${escapeText(email)}>: ${first}`, ...others];
  const lines = flow(items, ', ', style.width - labelWidth - 10);
  return lines.map((line, at) => indent + (at === 0 ? 'changed ' : '          ') + line);
}

/** Who would be sent although the roster says that they are not there: a person decides. */
function decisionLines({ decision = [] }: PlanView, style: Style): string[] {
  if (decision.length === 0) return [];
  const [first = '', ...more] = decision.flatMap((sentence) => remarkLines(sentence, style));
  return [
    labelled('Decide', first.slice(indent.length), style),
    ...more,
    `${indent}--only-active leaves them out, --everybody sends them`,
  ];
}

function heldLines({ held, calls }: PlanView, style: Style): string[] {
  if (!held || held.reasons.length === 0) return [];
  return [
    labelled('Held', paint(style, 'bad', heldSentence(held.calls, calls)), style),
    ...held.reasons.flatMap((reason) => reasonLines(reason, style)),
  ];
}

function invitationsSentence({ invite, possibleInvitations }: PlanView): string {
  if (!invite) return 'no invitations (invite is off)';
  if (possibleInvitations === 0) return 'no invitations';
  return `up to ${count(possibleInvitations, 'invitation')}`;
}

/** A group's name, in quotes where one could take it for several. */
export const groupText = (group: string): string => (/[,;|/\n]/.test(group) ? quote(group) : shownText(group));

/** `Åse Lindqvist <ase.lindqvist@example.com> +46 70 1234 -> New starters, Finance, Sweden` */
function sampleLines(
  { firstname, lastname, email, telephone, groups }: Member,
  { isSplit, head }: { isSplit: boolean; head: string },
  style: Style,
): string[] {
  // Of whole names of many words, it is shown where they were split.
  const between = isSplit && /\s/.test(firstname + lastname) ? ' | ' : ' ';
  const name = `${escapeText(firstname)}${between}${escapeText(lastname)} <${escapeText(email)}>`;
  const person = telephone === undefined ? name : `${name} ${escapeText(telephone)}`;
  const [first = '', ...others] = groups.map(groupText);
  const items = [`${person} -> ${first}`, ...others];
  const lines = flow(items, ', ', style.width - labelWidth - head.length - 2);
  return lines.map((line, at) => indent + (at === 0 ? head : ' '.repeat(head.length + 2)) + line);
}

/** The number of groups shown unless all are asked for. */
const mostGroups = 20;

function groupLines(groups: PlanView['groups'], all: number, style: Style): string[] {
  const shown = tableOf(groups, style.width - labelWidth, ({ words, numbers }) => [
    words('Group', ({ group, isNew }) => `${shownText(group)}${isNew ? ' (new)' : ''}`, { least: 15, gives: true }),
    numbers('people', ({ adds }) => adds),
  ]);
  const lines = shown.map((line) => indent + line);
  return all > groups.length ? [...lines, `${indent}${count(all - groups.length, 'more group')}: --verbose`] : lines;
}

function detailLines({ groups, mergedLines }: PlanView, style: Style): string[] {
  const joined = mergedLines.map((lines) => `lines ${lines.join(', ')} are one person`);
  return [
    ...flow(joined, ' | ', style.width - labelWidth).map((line) => indent + line),
    ...(groups.length > 0 ? groupLines(groups, groups.length, style) : []),
  ];
}
