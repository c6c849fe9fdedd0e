// Shows a hold as text.
import { escapeText, figure, moment } from '../../core/text/format.ts';
import { withNext } from '../../core/errors.ts';
import { groupsOf, type HoldView } from '../run/run-report.ts';
import { commandOf, inShell, nameAtTerminal } from './commands.ts';
import { displayWidth, flow } from './layout.ts';
import { indent, labelWidth, paint, type Style } from './style.ts';

export function renderHold(run: string, hold: HoldView, style: Style): string[] {
  const commands = holdCommands(run, hold).map(({ command, does }) => ({ command: escapeText(command), does }));
  const width = Math.max(...commands.map(({ command }) => displayWidth(command)));
  const expires =
    hold.expiresAt === null
      ? []
      : [
          `${indent}cancelled unless approved by ${moment(hold.expiresAt, style.timeZone)}; plan ${hold.hash.slice(0, 12)}`,
        ];
  return [
    ...hold.reasons.flatMap((reason, at) => reasonLines(reason, style, hold.reasons.length > 1 ? at + 1 : undefined)),
    ...(hold.overDay === undefined ? [] : flow(hold.overDay.split(' '), ' ', style.width - labelWidth - 2)).map(
      (line) => indent + line,
    ),
    ...commands.map(
      ({ command, does }) => `${indent}${command}${' '.repeat(width - displayWidth(command) + 3)}${does}`,
    ),
    ...expires,
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
