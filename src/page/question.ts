// A reason of a hold as a numbered question: what was usual, what is now, and a few of the people.
import { inPageWords, titleAndRest, withButtons } from './press.ts';
import type { Html } from '../core/text/format.ts';
import { sentence } from '../core/words/say.ts';
import type { Trip } from '../core/guards/trip.ts';
import type { UsualFigure } from '../report/run/run-report.ts';
import { note, option, localMoments, timeInWords } from './parts.ts';
import { told } from './told.ts';
import { count, figure, html, t } from './words.ts';

export interface Question {
  /** Its place among the reasons, from 1. */
  place: number;
  trip: Trip;
  /** Whom it still holds, and how many of them are new. */
  people: number;
  fresh: number;
  /** Their names where they are few; empty where they are more. */
  names: readonly string[];
  /** Absent where its guard is about no figure. */
  usual?: UsualFigure;
  sample: Html | false;
}

const barWidth = 40;
const gap = 10;
const highest = 72;
const labels = 18;

/** The old and the new name of a group, where a guard takes it for renamed: its message has more than one line. */
function renamedOf({ message, scope }: Trip): readonly string[] | undefined {
  return message.includes('\n') && scope !== 'all' && 'groups' in scope ? scope.groups : undefined;
}

/** The first sentence of what a guard says. */
function titleOf(trip: Trip): Html {
  const [old, fresh] = renamedOf(trip) ?? [];
  if (old !== undefined) return html`${t('{old} became {fresh}', 1, { old, fresh })}`;
  return localMoments(titleAndRest(told(inPageWords(trip.message)))[0].replace(/[.:]$/, ''));
}

export function questionSection(run: string, { place, trip, people, usual, sample }: Question, isOne: boolean): Html {
  const [said = '', ...lines] = trip.message.split('\n');
  const [, what = ''] = /; approving (.*)\.$/.exec(lines.at(-1) ?? '') ?? [];
  const sent = t('Sending them {what}.', 1, { what: told(what) });
  const keep = t(
    'To keep the name {old} at the service, send none of them, and ask whoever runs roster-sync to set it.',
    1,
    { old: renamedOf(trip)?.[0] ?? t('it had') },
  );
  const path = `/runs/${run}/people?reason=${place}`;
  return html`<section>
    <h2>${!isOne && `${place}. `}${titleOf(trip)}</h2>
    ${usual && bars(usual)}
    ${
      lines.length > 0
        ? note(t('It looks like a new name.'), `${told(sentence(said))} ${sent} ${keep}`)
        : html`<p class="quiet">${localMoments(titleAndRest(told(withButtons(said, trip.next, run)))[1])}</p>`
    }
    ${sample}
    <p class="small">
      ${
        people > 0
          ? html`<a href="${path}">See everybody whom this holds</a>
              <span class="quiet">(${count(people, 'person', 'people')})</span>`
          : html`<span class="quiet">It holds nobody who would be sent.</span>`
      }
    </p>
  </section>`;
}

function bars({ of, before, now }: UsualFigure): Html {
  const values = [
    ...before.map(({ at, value }) => ({ label: timeInWords(at.toISOString(), 'month'), value })),
    { label: t('now'), value: now },
  ];
  const most = Math.max(1, ...values.map(({ value }) => value));
  const columns = values.map(({ label, value }, at) => {
    const [x, height] = [at * (barWidth + gap), Math.max(2, (value / most) * highest)];
    const middle = x + barWidth / 2;
    const isNow = at === values.length - 1;
    return html`<rect
        class="${isNow ? 'fill-warn' : 'fill-mute'}"
        x="${x}"
        y="${(labels + highest - height).toFixed(1)}"
        width="${barWidth}"
        height="${height.toFixed(1)}"
        rx="2"
      /><text x="${middle}" y="${(labels + highest - height - 5).toFixed(1)}">${figure(value)}</text
      ><text x="${middle}" y="${labels + highest + 15}">${label}</text>`;
  });
  const width = values.length * (barWidth + gap) - gap;
  const counted = told(of);
  const usual = before.map(({ value }) => value);
  const [least, highestUsual] = [Math.min(...usual), Math.max(...usual)];
  const range = least === highestUsual ? figure(least) : `${figure(least)}–${figure(highestUsual)}`;
  const said = { range, now: figure(now) };
  const words = t(before.length === 1 ? 'Last time {range}. Now {now}.' : 'Usually {range}. Now {now}.', 1, said);
  return html`<figure class="usual">
    <svg
      role="img"
      aria-label="${counted}: ${usual.map(figure).join(', ')}, now ${figure(now)}"
      width="${width}"
      height="${labels + highest + 22}"
      viewBox="0 0 ${width} ${labels + highest + 22}"
    >
      ${columns}
    </svg>
    <figcaption>
      <b>${words}</b><br />${counted.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}, roster by roster
    </figcaption>
  </figure>`;
}

export function answerField(place: number): string {
  return `answer${place}`;
}

/** A select for each question: send whom it holds, or not now. Nothing is chosen beforehand. */
export function answerSelects(
  questions: readonly Question[],
  answers: Partial<Record<string, string>>,
  invite: boolean,
): Html {
  const selects = questions.map(({ place, people, fresh, trip }) => {
    const name = answerField(place);
    const chosen = answers[name] ?? '';
    const send = t(
      invite && fresh > 0 ? 'Send them, at most [1 invitation|# invitations]' : 'Send them, no invitation',
      fresh,
    );
    const replies = [
      ['', t('Choose')],
      ['send', send],
      ['later', t('Not now')],
    ] as const;
    return html`<div class="field">
      <label for="${name}"
        >${place}. ${count(people, 'person', 'people')}<br /><span class="small quiet">${titleOf(trip)}</span></label
      >
      <select id="${name}" name="${name}">
        ${replies.map(([value, words]) => option(value, words, value === chosen))}
      </select>
    </div>`;
  });
  return html`<fieldset class="answers">
    <legend class="hidden">Decide one by one</legend>
    ${selects}
    <p class="small quiet">Somebody whom several questions hold is sent only if you send them in each.</p>
  </fieldset>`;
}
