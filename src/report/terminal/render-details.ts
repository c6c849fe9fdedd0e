// Shows who approved a run and which of its answers need checking.
import type { AnswerKind } from '../../core/call/answer.ts';
import { escapeText, figure, moment } from '../../core/text/format.ts';
import { labelled, type Style } from './style.ts';
import type { RunDetails } from '../run/run-report.ts';

export function renderDetails({ approvals, noticed }: RunDetails, style: Style): string[] {
  const at = (iso: string): string => moment(iso, style.timeZone);
  return [
    ...approvals.map((each) => {
      const note = each.note === '' ? '' : `: ${each.note}`;
      return labelled('Yes', escapeText(`given by ${each.by}, ${at(each.at)}${note}`), style);
    }),
    ...noticed.map(({ kind, count, firstSeenAt }) =>
      labelled('Noticed', escapeText(`${noticedWords(kind)}, ${times(count)}; ${firstSeen} ${at(firstSeenAt)}`), style),
    ),
  ];
}

/** Since when the service gives what was noticed, in any run; `firstSeenAt` follows. */
const firstSeen = 'first seen at this service';

/** A kind of what was noticed in the answers of a run, in words; of one that is not known, the kind itself. */
export function noticedWords(kind: string): string {
  if (/^\d+ warnings?$/.test(kind)) return `${kind} for a group`;
  if (kind.startsWith('group status ')) return `${kind.slice('group '.length)} for a group`;
  const [, name = '', httpStatus] = /^([a-z-]+)(?: (\d{3}))?$/.exec(kind) ?? [];
  const words = answerWords[name];
  if (words === undefined) return kind;
  return httpStatus === undefined ? words : `${words} (HTTP ${httpStatus})`;
}

const answerWords: Record<string, string> = {
  refused: 'call refused',
  rejected: 'call rejected',
  throttled: 'call throttled',
  broken: 'call broken by an error of the service',
  'not-sent': 'call not sent, because there was no connection',
  'may-have-happened': 'call that may have happened',
  unrecognised: 'answer not recognised',
} satisfies Record<Exclude<AnswerKind, 'accepted'>, string>;

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${figure(count)} times`;
}
