import { escapeText } from '../core/escape.ts';
import { figure, moment } from './figures.ts';
import { labelled } from './lines.ts';
import type { RunDetails } from './report-source.ts';
import type { Style } from './style.ts';

/** Who approved a run, and what of its answers deserves a look, as lines of text. */
export function renderDetails({ approvals, noticed }: RunDetails, style: Style): string[] {
  const at = (iso: string): string => moment(iso, style.timeZone);
  return [
    ...approvals.map((each) => {
      const note = each.note === '' ? '' : `: ${each.note}`;
      return labelled('Yes', escapeText(`given by ${each.by}, ${at(each.at)}${note}`), style);
    }),
    ...noticed.map(({ kind, count, firstSeenAt }) =>
      labelled('Saw', escapeText(`${kind}: ${figure(count)} times; first seen ${at(firstSeenAt)}`), style),
    ),
  ];
}
