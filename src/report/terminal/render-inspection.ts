// Shows what `inspect` finds in a roster as text.
import type { z } from 'zod';
import type { Tally } from '../../core/inspect/census.ts';
import { count, escapeText, figure, shownText } from '../../core/text/format.ts';
import { tableOf } from './columns.ts';
import { flow } from './layout.ts';
import { indent, labelled, labelledLines, labelWidth, paint, type Style } from './style.ts';
import { formSentence, readAsLines } from './form-sentence.ts';
import { groupText } from './render-plan.ts';
import type { RosterForm } from '../../core/rows/row.ts';
import type { InspectDocument } from '../../acts/shapes/roster.ts';

const mostGroups = 30;
const mostTallies = 20;

/** `verbose` lists every group and reason. */
export function renderInspection(found: Inspection, style: Style, { verbose = false } = {}): string {
  return [
    ...fileLines(found, style),
    '',
    ...columnLines(found, style),
    '',
    ...fieldLines(found, style),
    ...censusLines(found, style, verbose),
    ...presetLines(found, style),
    ...blockLines(found, style),
  ].join('\n');
}

function fileLines({ source, form, rows }: Inspection, style: Style): string[] {
  const where = form.headerLine > 0 ? `, header on line ${form.headerLine}` : '';
  const from = source === form.file ? escapeText(form.file) : `${escapeText(source)} (${escapeText(form.file)})`;
  return [
    labelled('File', from, style),
    `${indent}${formSentence(form)}${where}, ${count(form.header.length, 'column')}, ${count(rows, 'row')}`,
    ...readAsLines(form),
    ...form.notes.map((note) => `${indent}${paint(style, 'warn', '!')} ${escapeText(note)}`),
  ];
}

function columnLines({ columns, rows }: Inspection, style: Style): string[] {
  return tableOf(columns, style.width, ({ words }) => [
    words('Column', ({ name }) => shownText(name) || '(no name)'),
    words('filled', ({ filled }) => percent(filled, rows), { figures: true }),
    words('becomes', ({ uses }) => uses.join(', ')),
    words('examples (masked)', ({ examples }) => examples.map((each) => shownText(each)).join(' | '), { gives: true }),
  ]);
}

function percent(part: number, whole: number): string {
  if (whole === 0) return '-';
  const share = (part / whole) * 100;
  if (part === 0 || part === whole) return `${share}%`;
  return share < 1 ? '<1%' : share > 99 ? '>99%' : `${Math.round(share)}%`;
}

function fieldLines({ fields, problem, remarks }: Inspection, style: Style): string[] {
  const lines = fields.map(({ field, column, why }) => `${shownText(column)} -> ${field} (${why})`);
  return [
    ...(lines.length > 0 ? labelledLines('Fields', lines, style) : []),
    ...(problem === undefined ? [] : [paint(style, 'bad', 'Not settled yet:')]),
    ...(problem?.split('\n') ?? []).map((line) => indent + escapeText(line.trim())),
    ...remarks.map((remark) => `${indent}${paint(style, 'warn', '!')} ${escapeText(remark)}`),
  ];
}

function censusLines({ census }: Inspection, style: Style, verbose: boolean): string[] {
  if (!census) return [];
  const { rows, members, merged, filtered, rejects, groups, isMergedCounted } = census;
  const sum = (tallies: readonly Tally[]): number => tallies.reduce((total, { count }) => total + count, 0);
  const shown = verbose ? groups : groups.slice(0, mostGroups);
  const items = shown.map(({ group, people }) => `${groupText(group)} ${figure(people)}`);
  const left = groups.length - shown.length;
  const others = `${figure(merged)} merged + ${figure(sum(filtered))} filtered + ${figure(sum(rejects))} rejected`;
  const head = groups.length === 0 ? 'none' : `${count(groups.length, 'group')}, with the people in each:`;
  return [
    labelled('Rows', `${figure(rows)} = ${count(members, 'person', 'people')} + ${others}`, style),
    ...(isMergedCounted ? [] : [`${indent}(too many people to find everybody who is on several rows)`]),
    ...tallyLines('filtered', filtered, style, verbose),
    ...tallyLines('rejected', rejects, style, verbose),
    labelled('Groups', head, style),
    ...flow(left > 0 ? [...items, `${figure(left)} more (--verbose)`] : items, '  ', style.width - labelWidth).map(
      (line) => indent + line,
    ),
  ];
}

function tallyLines(kind: string, tallies: readonly Tally[], style: Style, verbose: boolean): string[] {
  const shown = verbose ? tallies : tallies.slice(0, mostTallies);
  const left = tallies.length - shown.length;
  return [
    ...shown.map(({ what, count, line }) => {
      const ink = kind === 'rejected' ? 'warn' : 'quiet';
      return `${indent}${paint(style, ink, `${figure(count)} ${kind}`)}: ${escapeText(what)} (first: line ${line})`;
    }),
    ...(left > 0 ? [`${indent}${figure(left)} more kinds (--verbose)`] : []),
  ];
}

function presetLines({ preset }: Inspection, style: Style): string[] {
  if (!preset) return [];
  return [
    labelled('Preset', `${preset.name}: ${preset.title}`, style),
    `${indent}e-mail: ${preset.email}`,
    `${indent}active: ${preset.active}`,
    ...preset.leavesOut.map((sentence) => `${indent}left out: ${sentence}`),
  ];
}

function blockLines({ block }: Inspection, style: Style): string[] {
  if (block.length === 0) return [];
  return [
    '',
    paint(style, 'label', 'Paste this below the name of a source in roster-sync.yaml, and check every line:'),
    '',
    ...block.map(escapeText),
  ];
}

/** What the document says, before it is written. */
export type Inspection = Omit<z.output<typeof InspectDocument>, 'form' | 'preset'> & {
  form: RosterForm;
  /** What the preset says about its system. */
  preset?: { name: string; title: string; email: string; active: string; leavesOut: readonly string[] };
};
