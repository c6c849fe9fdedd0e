// How a run went over time: a chart drawn here, and the same as a table for who cannot see it.
import { duration, type Html } from '../core/text/format.ts';
import type { Rate } from '../core/pace/pacing.ts';
import type { Slice, Timeline } from '../ledger/runs/watching.ts';
import { fill, fixedTable, row, time, type TimeForm, timeInWords, type Tone } from './parts.ts';
import { count, figure, html, t, words } from './words.ts';

export interface OverTimeView {
  timeline: Timeline;
  /** ISO 8601, while the run is under way; absent once it has ended. */
  now?: string;
  /** How long it still takes, ms; absent where nobody can say. */
  leftMs?: number;
  rate: Rate;
}

const outcomes = [
  ['succeeded', words('delivered'), 'ok'],
  ['partial', words('partial'), 'warn'],
  ['unknown', words('unknown'), 'hatch'],
  ['failed', words('failed'), 'bad'],
] as const satisfies [keyof Slice['outcome'], string, Tone][];

/** Where the bars stand, px from the top. */
const [top, floor] = [24, 144];
const height = floor - top;
/** The most slices that are drawn, those to come included. */
const mostDrawn = 90;
/** A gap is named from this number of slices on. */
const namedGap = 3;

/** The chart with its heading, and the table; nothing where nothing has ended yet. */
export function overTime({ timeline, now, leftMs, rate }: OverTimeView): Html | false {
  const { sliceMs, slices } = timeline;
  const [first, last] = [slices[0], slices.at(-1)];
  if (!first || !last) return false;
  const startMs = first.at.getTime();
  const placeOf = (ms: number): number => Math.floor((ms - startMs) / sliceMs);
  const lastPlace = Math.max(placeOf(last.at.getTime()), now === undefined ? 0 : placeOf(Date.parse(now)));
  const past = Math.min(lastPlace + 1, mostDrawn);
  const toCome = leftMs === undefined ? 0 : Math.min(Math.ceil(leftMs / sliceMs), mostDrawn - past, past);
  // A single bar over the whole width says nothing.
  const all = Math.max(past + toCome, 12);
  const sums = slices.map(({ outcome }) => outcomes.reduce((sum, [name]) => sum + (outcome[name] ?? 0), 0));
  const limit = (rate.limit * sliceMs) / rate.perMs;
  const highest = Math.max(1, ...sums);
  const isLimitShown = limit <= highest * 2;
  const scale = height / Math.max(highest, isLimitShown ? limit : 0);
  const x = (place: number): string => `${((place / all) * 100).toFixed(2)}%`;
  const width = `${(100 / all - Math.min(0.16, 20 / all)).toFixed(2)}%`;
  const rect = (look: Html, place: number, y: number, height: number): Html =>
    html`<rect ${look} x="${x(place)}" y="${y.toFixed(1)}" width="${width}" height="${height.toFixed(1)}" />`;

  const bars = slices.map(({ at, outcome }) => {
    let y = floor;
    return outcomes.map(([name, , tone]) => {
      const part = (outcome[name] ?? 0) * scale;
      y -= part;
      return part > 0 && rect(fill(tone), placeOf(at.getTime()), y, part);
    });
  });
  const expected = Math.min(limit, highest) * scale;
  const pale = Array.from({ length: toCome }, (_, at) =>
    rect(html`class="come"`, past + at, floor - expected, expected),
  );
  const gaps = gapsOf(timeline).map(
    ({ from, ms, words }) =>
      html`<text x="${x(placeOf(from) + 0.2)}" y="${floor - 20}">${words}</text
        ><text x="${x(placeOf(from) + 0.2)}" y="${floor - 6}">for ${duration(ms)}</text>`,
  );
  const every = Math.ceil(all / 8);
  const labels = Array.from({ length: Math.ceil((past + toCome) / every) }, (_, at) => {
    const iso = new Date(startMs + at * every * sliceMs).toISOString();
    const [form, words] = clock(iso, sliceMs);
    return html`<text
      x="${x(at * every)}"
      y="${floor + 18}"
      data-at="${iso}"
      data-form="${form}"
      ${at % 2 === 1 && html` class="late"`}
      >${words}</text
    >`;
  });
  const limitY = (floor - limit * scale).toFixed(1);
  const nowX = now === undefined ? undefined : x(past);
  const slice = duration(sliceMs).replace('.0', '');
  return html`<h2>
      Over time
      <span class="aside"
        >People in each ${slice}. At most ${count(Math.round(limit), 'call')} each, by the limit.</span
      >
    </h2>
    <svg class="chart" role="img" aria-label="People over time, as in the table below">
      <line class="grid" x1="0" x2="100%" y1="${floor}" y2="${floor}" />
      ${bars}${pale}${gaps}${labels}
      ${
        isLimitShown &&
        html`<line class="limit" x1="0" x2="100%" y1="${limitY}" y2="${limitY}" />
          <text x="0" y="${(Number(limitY) - 6).toFixed(1)}"
            >limit: ${figure(Math.round(limit))} calls in ${slice}</text
          >`
      }
      ${
        nowX !== undefined &&
        html`<line class="now-line" x1="${nowX}" x2="${nowX}" y1="6" y2="${floor}" />
          <text class="now" x="${nowX}" dx="6" y="14">now</text>`
      }
    </svg>
    ${asTable(timeline)}`;
}

/** What stands under a slice, in the zone of the server, and in which form the script writes it in that of the viewer. */
function clock(iso: string, sliceMs: number): [form: TimeForm, words: string] {
  const form = sliceMs >= 86_400_000 / 4 ? 'month' : sliceMs < 60_000 ? 'clock' : 'minute';
  return [form, timeInWords(iso, form)];
}

/** Stretches in which nobody's delivery ended, with what is known about them. */
function gapsOf({ sliceMs, slices }: Timeline): { from: number; ms: number; words: string }[] {
  const ended = slices.filter(({ outcome }) => outcomes.some(([name]) => (outcome[name] ?? 0) > 0));
  return ended.flatMap(({ at }, index) => {
    const next = ended[index + 1];
    const from = at.getTime() + sliceMs;
    const ms = (next?.at.getTime() ?? 0) - from;
    if (!next || ms < namedGap * sliceMs) return [];
    const isSilent = slices.some(
      ({ at: when, unanswered }) => unanswered > 0 && when.getTime() >= from && when.getTime() < from + ms,
    );
    return [{ from, ms, words: isSilent ? t('no answer') : t('nobody called') }];
  });
}

function asTable({ slices }: Timeline): Html {
  const rows = slices.map(({ at, outcome }) =>
    row(time(at.toISOString(), 'clock'), ...outcomes.map(([name]) => figure(outcome[name] ?? 0))),
  );
  const headings = [t('From'), ...outcomes.map(([, word]) => t(word))];
  const caption = t('People over time, by how their delivery ended');
  return html`<div class="hidden">${fixedTable(caption, headings, rows)}</div>`;
}
