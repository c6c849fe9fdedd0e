// Colours finished text for the terminal, and formats labelled lines such as `Plan   200 new`.
import { styleText } from 'node:util';
import { displayWidth } from './layout.ts';

/** How a text is to look; decided once at the edge (`NO_COLOR`, terminal or not), never in here. */
export interface Style {
  color: boolean;
  /** Columns of the terminal; where there is none, how wide a line may become. */
  width: number;
  /** The IANA time zone in which times are shown; the machine's when absent. */
  timeZone?: string;
}

/** What a colour is used for; a colour never carries a meaning that the words do not. */
const inks = { label: 'bold', good: 'green', warn: 'yellow', bad: 'red', quiet: 'dim' } as const;

/** Colours a finished piece of text, after it was escaped and padded. */
export function paint(style: Style, ink: keyof typeof inks, text: string): string {
  return style.color && text !== '' ? styleText(inks[ink], text, { validateStream: false }) : text;
}

/** The columns that labels of the lines of a run take, including the space after them. */
export const labelWidth = 7;

/** The text in place of the label on a continuation line. */
export const indent = ' '.repeat(labelWidth);

export function labelled(label: string, text: string, style: Style): string {
  return `${paint(style, 'label', label)}${' '.repeat(Math.max(1, labelWidth - label.length))}${text}`;
}

/** Lines of which the first has a label. */
export function labelledLines(label: string, [first = '', ...more]: readonly string[], style: Style): string[] {
  return [labelled(label, first, style), ...more.map((line) => indent + line)];
}

/** A remark to the right of a line where it fits, else under it; the first line has no label yet. */
export function beside(line: string, remark: string, style: Style): string[] {
  const room = style.width - labelWidth - displayWidth(line) - displayWidth(remark);
  return room >= 6 ? [`${line}      ${remark}`] : [line, indent + remark];
}
