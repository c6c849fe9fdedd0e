// Shows the schedules as text.
import { escapeText } from '../../core/text/escape.ts';
import { showTime, type ScheduleView } from '../../core/run/schedule.ts';
import { flow } from './layout.ts';
import { indent, labelled, labelWidth } from './lines.ts';
import { paint, type Style } from './style.ts';

export function renderSchedules(schedules: readonly ScheduleView[], style: Style): string {
  if (schedules.length === 0) {
    return 'No source has a schedule. To read one automatically: schedule: { cron: "15 2 * * *", timezone: Europe/Copenhagen }';
  }
  return schedules.map((schedule) => block(schedule, style).join('\n')).join('\n\n');
}

function block({ source, cron, timezone, next, last, missed }: ScheduleView, style: Style): string[] {
  const time = (iso: string): string => showTime(new Date(iso), timezone);
  const times = next.map(({ at, isBlackedOut }) => `${time(at)}${isBlackedOut ? ' (blacked out)' : ''}`);
  const [first = 'never', ...more] = flow(times, ', ', style.width - labelWidth);
  const lines = [
    `${paint(style, 'label', escapeText(source))}  ${cron}  ${timezone}`,
    labelled('Next', first, style),
    ...more.map((line) => indent + line),
  ];
  if (last !== undefined) lines.push(labelled('Last', last ? sayLast(last, time) : 'none yet', style));
  if (missed) {
    const becomes = {
      run: 'begins when `serve` runs',
      missed: 'too long ago to catch up on (schedule.catchUp)',
      blackout: 'on a blackout day',
    }[missed.will];
    lines.push(labelled('Missed', `${time(missed.due)}: ${becomes}`, style));
  }
  return lines;
}

function sayLast(
  { due, result, reason, run, status }: NonNullable<ScheduleView['last']>,
  time: (iso: string) => string,
) {
  const became = status ?? result;
  const why = reason === '' || status !== null ? '' : `: ${escapeText(reason)}`;
  return `${time(due)}  ${became}${why}${run !== null && result !== 'unchanged' && result !== 'busy' ? ` (run ${run})` : ''}`;
}
