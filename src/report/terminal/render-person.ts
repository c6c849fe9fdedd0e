// Shows everything known about a person as text.
import { escapeText } from '../../core/text/escape.ts';
import { keepsAtService } from '../../core/person/member.ts';
import { writeRate } from '../../core/pace/pacing.ts';
import type { PersonHistory, PersonRun } from '../../acts/shapes/person.ts';
import { count, moment } from '../../core/text/figures.ts';
import { causeOf } from '../files/left-behind.ts';
import { whereNamed } from './commands.ts';
import { paint, type Style } from './style.ts';

/** Lines with how far each is indented. */
type Lines = [indent: number, text: string][];

export function renderPerson(person: PersonHistory, style: Style): string {
  const { asked, addresses, forgottenAt, given, leftBehind, runs, rejects, moves, departures, events, answers } =
    person;
  const at = (time: string): string => moment(time, style.timeZone);
  const others = addresses.slice(1);
  const sections: [title: string, lines: Lines][] = [
    ['What was last given', given.flatMap((each) => givenLines(each, at))],
    ['Left behind', leftBehindLines(leftBehind, at)],
    ['Runs', runs.flatMap((run) => runLines(run, at))],
    [
      'Rejected rows',
      rejects.map(({ run, source, startedAt, file, line, reason }) => [
        1,
        `${at(startedAt)} run ${run} of ${source}: ${file}, line ${line}: ${reason}`,
      ]),
    ],
    [
      'Decided moves',
      moves.map(({ decidedAt, from, to, decision, source }) => [
        1,
        `${at(decidedAt)} ${from} -> ${to}: ${decision} (${source})`,
      ]),
    ],
    [
      'Departures',
      departures.map((each) => [
        1,
        `${at(each.at)} run ${each.run}: ${each.byRow ? `a row of ${each.source} said so` : `no longer in ${each.source}`}`,
      ]),
    ],
    [
      'Events',
      events.flatMap(({ receivedAt, source, kind, state, run, body }): Lines => [
        [1, `${at(receivedAt)} ${source}: ${kind}, ${state}${run === null ? '' : `, run ${run}`}`],
        ...(body === null ? [] : [[2, body] satisfies Lines[number]]),
      ]),
    ],
    [
      'Answers to questions',
      answers.flatMap(({ takenAt, service, story, question, response, correct, attempts }): Lines => [
        [1, `${story}: ${question}`],
        [
          2,
          `${response}${correct === null ? '' : correct ? ', right' : ', wrong'}` +
            `${attempts === null ? '' : `, ${count(attempts, 'attempt')}`}; as ${service} had it on ${at(takenAt)}`,
        ],
      ]),
    ],
  ];
  const filled = sections.filter(([, lines]) => lines.length > 0);
  const title = escapeText(`${asked}${others.length > 0 ? `, also known as ${others.join(', ')}` : ''}`);
  const keptOut = forgottenAt
    ? [
        `Forgotten on ${at(forgottenAt)}: every roster rejects this address. ` +
          `\`roster-sync forget ${escapeText(asked)} --undo\` ends that.`,
      ]
    : [];
  if (filled.length === 0)
    return [title, ...keptOut, `Nothing ${forgottenAt ? 'else ' : ''}is known about this address.`].join('\n');
  return [
    title,
    ...keptOut,
    ...filled.flatMap(([name, lines]) => [
      '',
      paint(style, 'label', name),
      ...lines.map(([indent, text]) => '  '.repeat(indent) + escapeText(text)),
    ]),
    '',
    'Runs in which nothing changed for them keep no row of theirs.',
  ].join('\n');
}

type At = (time: string) => string;

/** What they keep at each service, then each group with what happened to it. */
function leftBehindLines(leftBehind: PersonHistory['leftBehind'], at: At): Lines {
  const kept = leftBehind.filter(({ takenAt, doneAt }) => takenAt === null && doneAt === null);
  const services = Map.groupBy(kept, ({ service }) => service);
  const lines: Lines = [...services].map(([service, groups]) => [
    1,
    `${keepsAtService(
      groups.map(({ group }) => group),
      whereNamed.seeKept,
    )}: ${service}`,
  ]);
  for (const { group, givenAt, givenRun, since, run, cause, source, takenAt, takenRun, doneAt, doneBy } of leftBehind) {
    const given = givenAt === null ? '' : `given ${at(givenAt)}${givenRun === null ? '' : ` by run ${givenRun}`}; `;
    const left = since === null ? '' : `${causeOf(cause, run)} of ${source}, ${at(since)}`;
    const taken = takenAt === null ? '' : `; taken out by forceSync of run ${takenRun ?? 'unknown'}, ${at(takenAt)}`;
    const done = doneAt === null ? '' : `; taken out by hand, says ${doneBy ?? 'somebody'}, ${at(doneAt)}`;
    lines.push([2, `${group}: ${given}${left}${taken}${done}`]);
  }
  return lines;
}

function givenLines(each: PersonHistory['given'][number], at: At): Lines {
  const { source, service, givenAt, givenRun, lastOutcome, lastRun, employeeId, groups, forceSync } = each;
  const lines: Lines = [
    [
      1,
      `by ${source} at ${service}: ${givenAt ? `${at(givenAt)}, run ${givenRun ?? 'unknown'}` : 'nothing arrived yet'}`,
    ],
  ];
  if (givenAt) lines.push([2, `${nameOf(each)}; ${(groups ?? []).join(', ')}${forceSync ? '; with forceSync' : ''}`]);
  if (employeeId !== null) lines.push([2, `employee id ${employeeId}`]);
  if (lastOutcome !== 'succeeded') lines.push([2, `the delivery of run ${lastRun} is ${lastOutcome}`]);
  return lines;
}

function nameOf(of: {
  firstname: string | null;
  lastname: string | null;
  email: string | null;
  telephone: string | null;
}): string {
  const { firstname, lastname, email, telephone } = of;
  return `${firstname ?? ''} ${lastname ?? ''} <${email ?? ''}>${telephone === null ? '' : `, ${telephone}`}`;
}

function runLines(person: PersonRun, at: At): Lines {
  const { run, source, service, trigger, status, startedAt, settings, row, action, outcome, state, reason, repeated } =
    person;
  const { forceSync, invite, rate, attempts } = settings;
  const lines: Lines = [
    [1, `${at(startedAt)} run ${run} of ${source} at ${service}: started by ${trigger}, ${status}`],
    [
      2,
      `set: forceSync ${forceSync ? 'ON' : 'off'}; invite ${invite ? 'on' : 'off'}; ${writeRate(rate)}; ${count(attempts, 'attempt')}`,
    ],
  ];
  for (const { by, did, at: when, note } of person.deeds) {
    lines.push([2, `${did} by ${by}, ${at(when)}${note === '' ? '' : `: ${note}`}`]);
  }
  if (row) {
    const { file, lines: of, groups, employeeId } = row;
    // Who left is planned without a row.
    const where =
      of.length === 0 ? 'as one who left' : `row: ${file}, ${of.length === 1 ? 'line' : 'lines'} ${of.join(', ')}`;
    lines.push([2, `${where}: ${nameOf(row)}; ${groups.join(', ')}${employeeId === null ? '' : `; id ${employeeId}`}`]);
  }
  const end = outcome ?? (state === null ? 'nothing was to be sent' : state === 'held' ? 'held' : 'not sent yet');
  lines.push([
    2,
    `${action ?? 'not compared yet'}: ${end}${repeated ? ', may have been sent twice' : ''}${reason === '' ? '' : `: ${reason}`}`,
  ]);
  for (const { call, calledAt, kind, httpStatus, results, body, reason: why } of person.calls) {
    lines.push([
      2,
      `call ${call}, ${at(calledAt)}: ${kind}${httpStatus === null ? '' : ` HTTP ${httpStatus}`}${why === '' ? '' : `: ${why}`}`,
    ]);
    for (const { group, status: said, inserts, warnings } of results) {
      lines.push([3, `${group}: ${said}, ${count(inserts, 'insert')}, ${count(warnings, 'warning')}`]);
    }
    if (body !== null) lines.push([3, `answer: ${body}`]);
  }
  return lines;
}
