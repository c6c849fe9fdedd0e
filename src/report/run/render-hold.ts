// Shows a hold as text.
import { escapeText } from '../../core/text/escape.ts';
import { figure, moment } from '../../core/text/figures.ts';
import { type HoldView, holdCommands } from './hold-view.ts';
import { displayWidth, flow } from '../terminal/layout.ts';
import { indent, labelWidth } from '../terminal/lines.ts';
import { paint, type Style } from '../terminal/style.ts';

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
    ...commands.map(
      ({ command, does }) => `${indent}${command}${' '.repeat(width - displayWidth(command) + 3)}${does}`,
    ),
    ...expires,
  ];
}

/** Why a guard stops a plan, broken between words: `! departed: …`; of several with their places, `! 2. departed: …`. */
export function reasonLines({ guard, message }: HoldView['reasons'][number], style: Style, place?: number): string[] {
  const label = place === undefined ? guard : `${place}. ${guard}`;
  return message
    .split('\n')
    .flatMap((line) => flow(escapeText(line).split(' '), ' ', style.width - labelWidth - 2))
    .map((line, at) => indent + (at === 0 ? paint(style, 'bad', `! ${label}: `) : '  ') + line);
}

export function heldSentence(held: number, calls: number): string {
  if (held === calls) return 'everything is held until somebody approves it';
  return `${figure(held)} of ${figure(calls)} calls are held until somebody approves them; the rest is sent`;
}
