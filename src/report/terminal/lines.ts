// Formats labelled lines such as `Plan   200 new`.
import { displayWidth } from './layout.ts';
import { paint, type Style } from './style.ts';

/** The columns that labels of the lines of a run take, including the space after them. */
export const labelWidth = 7;

/** The text in place of the label on a continuation line. */
export const indent = ' '.repeat(labelWidth);

export function labelled(label: string, text: string, style: Style): string {
  return `${paint(style, 'label', label)}${' '.repeat(Math.max(1, labelWidth - label.length))}${text}`;
}

/** A remark to the right of a line where it fits, else under it; the first line has no label yet. */
export function beside(line: string, remark: string, style: Style): string[] {
  const room = style.width - labelWidth - displayWidth(line) - displayWidth(remark);
  return room >= 6 ? [`${line}      ${remark}`] : [line, indent + remark];
}
