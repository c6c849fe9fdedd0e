// Shows a hold, who approved a run, and which of its answers need checking, as text.
import { count, escapeText, figure, moment, quote, shownText } from '../../core/text/format.ts';
import { withNext } from '../../core/errors.ts';
import { say, sentences } from '../../core/words/say.ts';
import { groupsOf, type HoldView, type RunDetails } from '../run/run-report.ts';
import { changedSentence } from '../plan/plan-sentences.ts';
import { commandOf, inShell, nameAtTerminal } from './commands.ts';
import { displayWidth, flow } from './layout.ts';
import { indent, labelled, labelWidth, paint, type Style } from './style.ts';

export function renderHold(run: string, hold: HoldView, style: Style): string[] {
  const commands = holdCommands(run, hold).map(({ command, does }) => ({ command: escapeText(command), does }));
  const width = Math.max(...commands.map(({ command }) => displayWidth(command)));
  const { reasons, overDay, expiresAt, hash } = hold;
  const until = (at: string): string =>
    `cancelled unless approved by ${moment(at, style.timeZone)}; plan ${hash.slice(0, 12)}`;
  const further = [
    ...(overDay === undefined ? [] : flow(overDay.split(' '), ' ', style.width - labelWidth - 2)),
    ...commands.map(({ command, does }) => `${command}${' '.repeat(width - displayWidth(command) + 3)}${does}`),
    ...(expiresAt === null ? [] : [until(expiresAt)]),
  ];
  return [
    ...reasons.flatMap((reason, at) => reasonLines(reason, style, reasons.length > 1 ? at + 1 : undefined)),
    ...further.map((line) => indent + line),
  ];
}

/** Why a guard stops a plan, broken between words: `! departed: …`; of several with their places, `! 2. departed: …`. */
export function reasonLines(
  { guard, message, next }: HoldView['reasons'][number],
  style: Style,
  place?: number,
): string[] {
  const label = place === undefined ? guard : `${place}. ${guard}`;
  return withNext(message, next, nameAtTerminal)
    .split('\n')
    .flatMap((line) => flow(escapeText(line).split(' '), ' ', style.width - labelWidth - 2))
    .map((line, at) => indent + (at === 0 ? paint(style, 'bad', `! ${label}: `) : '  ') + line);
}

export function heldSentence(held: number, calls: number): string {
  if (held === calls) return 'everything is held until somebody approves it';
  return `${figure(held)} of ${figure(calls)} calls are held until somebody approves them; the rest is sent`;
}

/** What can be done about a hold, a command each, with what it does. */
export function holdCommands(
  run: string,
  { deliveries, inOtherGroups, reasons }: Pick<HoldView, 'deliveries' | 'inOtherGroups' | 'reasons'>,
): { command: string; does: string }[] {
  const [approve, cancel] = [commandOf({ act: 'runs.approve', run }), commandOf({ act: 'runs.cancel', run })];
  if (deliveries === 0) {
    return [
      { command: approve, does: 'sends nobody; later rosters are compared with this one' },
      { command: cancel, does: 'leaves everything as it is' },
    ];
  }
  const scopes = reasons.map(({ scope }) => scope).filter((scope) => scope !== 'all');
  const actions = [...new Set(scopes.flatMap((scope) => ('actions' in scope ? scope.actions : [])))];
  const groups = groupsOf(reasons);
  const isSeveral = actions.length > 1 || groups.length > 0;
  const others = [approve, ...groups.map((group) => `--except-group ${inShell(group)}`)].join(' ');
  return [
    { command: approve, does: 'sends what is held' },
    ...(isSeveral ? actions : []).map((action) => {
      return { command: `${approve} --only ${action}`, does: `sends those that are ${action}` };
    }),
    ...(inOtherGroups > 0 ? [{ command: others, does: 'sends the people who are in none of these groups' }] : []),
    { command: cancel, does: 'sends none of it' },
  ];
}

export function renderDetails({ approvals, noticed, corrections }: RunDetails, style: Style): string[] {
  const at = (iso: string): string => moment(iso, style.timeZone);
  return [
    ...(corrections ? changedLines(corrections, style) : []),
    ...approvals.map((each) => {
      const note = each.note === '' ? '' : `: ${each.note}`;
      return labelled('Yes', escapeText(`given by ${each.by}, ${at(each.at)}${note}`), style);
    }),
    ...noticed.map(({ kind, count, firstSeenAt }) =>
      labelled('Noticed', escapeText(`${noticedWords(kind)}, ${times(count)}; ${firstSeen} ${at(firstSeenAt)}`), style),
    ),
  ];
}

/** The most changed cells to list. */
const mostChanged = 20;

function changedLines(corrections: NonNullable<RunDetails['corrections']>, style: Style): string[] {
  const of = (text: string): string => (text === '' ? 'empty' : quote(text));
  const lines = corrections.slice(0, mostChanged).map(({ line, column, was, value, cells }) => {
    const where = line === null ? `every row (${count(cells, 'cell')})` : `line ${line}`;
    return `${indent}${where} ${shownText(column)}: ${of(was)} -> ${of(value)}`;
  });
  const further = corrections.length - lines.length;
  return [
    labelled('Changed', escapeText(changedSentence(corrections)), style),
    ...lines,
    ...(further > 0 ? [`${indent}and ${figure(further)} more (--json)`] : []),
  ];
}

/** Since when the service gives what was noticed, in any run; `firstSeenAt` follows. */
const firstSeen = 'first seen at this service';

/** A kind of what was noticed in the answers of a run, in words; of one that is not known, the kind itself. */
export function noticedWords(kind: string): string {
  const [, warnings] = /^(\d+) warnings?$/.exec(kind) ?? [];
  if (warnings !== undefined) return say('warningsNoticed', Number(warnings));
  if (kind.startsWith('group status ')) return say('statusNoticed', 1, { status: kind.slice('group status '.length) });
  const [, name = '', httpStatus] = /^([a-z-]+)(?: (\d{3}))?$/.exec(kind) ?? [];
  const words = sentences()[`noticed-${name}`];
  if (words === undefined) return kind;
  return httpStatus === undefined ? words : say('noticedStatus', 1, { words, httpStatus });
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${figure(count)} times`;
}
