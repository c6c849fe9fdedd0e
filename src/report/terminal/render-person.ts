// Shows everything known about a person as text.
import { escapeText, count, moment } from '../../core/text/format.ts';
import { keepsAtService } from '../../core/person/member.ts';
import { writeRate } from '../../core/pace/pacing.ts';
import type { PersonHistory, PersonRun } from '../../acts/shapes/person.ts';
import { causeOf } from '../files/left-behind.ts';
import { whereNamed } from './commands.ts';
import { paint, type Style } from './style.ts';

export function renderPerson(person: PersonHistory, style: Style): string {
  const { asked, addresses, forgottenAt, given, leftBehind, runs, rejects, moves, departures, events, answers } =
    person;
  const at = (time: string): string => moment(time, style.timeZone);
  const others = addresses.slice(1);
  const sections: [title: string, lines: string[]][] = [
    ['What was last given', given.flatMap((each) => givenLines(each, at))],
    ['Left behind', leftBehindLines(leftBehind, at)],
    ['Runs', runs.flatMap((run) => runLines(run, at))],
    [
      'Rejected rows',
      rejects.map(({ run, source, startedAt, file, line, reason }) => {
        return `  ${at(startedAt)} run ${run} of ${source}: ${file}, line ${line}: ${reason}`;
      }),
    ],
    [
      'Decided moves',
      moves.map(({ decidedAt, from, to, decision, source }) => {
        return `  ${at(decidedAt)} ${from} -> ${to}: ${decision} (${source})`;
      }),
    ],
    ['Departures', departures.map((each) => departureLine(each, at))],
    [
      'Events',
      events.flatMap(({ receivedAt, source, kind, state, run, body }) => [
        `  ${at(receivedAt)} ${source}: ${kind}, ${state}${run === null ? '' : `, run ${run}`}`,
        ...(body === null ? [] : [`    ${body}`]),
      ]),
    ],
    ['Answers to questions', answers.flatMap((each) => answerLines(each, at))],
  ];
  const filled = sections.filter(([, lines]) => lines.length > 0);
  const title = escapeText(`${asked}${others.length > 0 ? `, also known as ${others.join(', ')}` : ''}`);
  const ending = `\`roster-sync forget ${escapeText(asked)} --undo\` ends that.`;
  const keptOut = forgottenAt ? [`Forgotten on ${at(forgottenAt)}: every roster rejects this address. ${ending}`] : [];
  if (filled.length === 0)
    return [title, ...keptOut, `Nothing ${forgottenAt ? 'else ' : ''}is known about this address.`].join('\n');
  return [
    title,
    ...keptOut,
    ...filled.flatMap(([name, lines]) => ['', paint(style, 'label', name), ...lines.map(escapeText)]),
    '',
    'Runs in which nothing changed for them keep no row of theirs.',
  ].join('\n');
}

type At = (time: string) => string;

function departureLine({ at: time, run, byRow, source }: PersonHistory['departures'][number], at: At): string {
  return `  ${at(time)} run ${run}: ${byRow ? `a row of ${source} said so` : `no longer in ${source}`}`;
}

function answerLines(answer: PersonHistory['answers'][number], at: At): string[] {
  const { takenAt, service, story, question, response, correct, attempts } = answer;
  const right = correct === null ? '' : correct ? ', right' : ', wrong';
  const tried = attempts === null ? '' : `, ${count(attempts, 'attempt')}`;
  return [`  ${story}: ${question}`, `    ${response}${right}${tried}; as ${service} had it on ${at(takenAt)}`];
}

/** What they keep at each service, then each group with what happened to it. */
function leftBehindLines(leftBehind: PersonHistory['leftBehind'], at: At): string[] {
  const kept = leftBehind.filter(({ takenAt, doneAt }) => takenAt === null && doneAt === null);
  const services = Map.groupBy(kept, ({ service }) => service);
  const lines = [...services].map(([service, groups]) => {
    const names = groups.map(({ group }) => group);
    return `  ${keepsAtService(names, whereNamed.seeKept)}: ${service}`;
  });
  for (const { group, givenAt, givenRun, since, run, cause, source, takenAt, takenRun, doneAt, doneBy } of leftBehind) {
    const given = givenAt === null ? '' : `given ${at(givenAt)}${givenRun === null ? '' : ` by run ${givenRun}`}; `;
    const left = since === null ? '' : `${causeOf(cause, run)} of ${source}, ${at(since)}`;
    const taken = takenAt === null ? '' : `; taken out by forceSync of run ${takenRun ?? 'unknown'}, ${at(takenAt)}`;
    const done = doneAt === null ? '' : `; taken out by hand, says ${doneBy ?? 'somebody'}, ${at(doneAt)}`;
    lines.push(`    ${group}: ${given}${left}${taken}${done}`);
  }
  return lines;
}

function givenLines(each: PersonHistory['given'][number], at: At): string[] {
  const { source, service, givenAt, givenRun, lastOutcome, lastRun, employeeId, groups, forceSync } = each;
  const when = givenAt ? `${at(givenAt)}, run ${givenRun ?? 'unknown'}` : 'nothing arrived yet';
  const lines = [`  by ${source} at ${service}: ${when}`];
  if (givenAt) lines.push(`    ${nameOf(each)}; ${(groups ?? []).join(', ')}${forceSync ? '; with forceSync' : ''}`);
  if (employeeId !== null) lines.push(`    employee id ${employeeId}`);
  if (lastOutcome !== 'succeeded') lines.push(`    the delivery of run ${lastRun} is ${lastOutcome}`);
  return lines;
}

function nameOf(of: Record<'firstname' | 'lastname' | 'email' | 'telephone', string | null>): string {
  const { firstname, lastname, email, telephone } = of;
  return `${firstname ?? ''} ${lastname ?? ''} <${email ?? ''}>${telephone === null ? '' : `, ${telephone}`}`;
}

function runLines(person: PersonRun, at: At): string[] {
  const { run, source, service, trigger, status, startedAt, row, action, outcome, state, reason, repeated } = person;
  const { forceSync, invite, rate, attempts } = person.settings;
  const set = `forceSync ${forceSync ? 'ON' : 'off'}; invite ${invite ? 'on' : 'off'}; ${writeRate(rate)}`;
  const lines = [
    `  ${at(startedAt)} run ${run} of ${source} at ${service}: started by ${trigger}, ${status}`,
    `    set: ${set}; ${count(attempts, 'attempt')}`,
  ];
  for (const { by, did, at: when, note } of person.deeds) {
    lines.push(`    ${did} by ${by}, ${at(when)}${note === '' ? '' : `: ${note}`}`);
  }
  if (row) {
    const { file, lines: of, groups, employeeId } = row;
    // Who left is planned without a row.
    const where =
      of.length === 0 ? 'as one who left' : `row: ${file}, ${of.length === 1 ? 'line' : 'lines'} ${of.join(', ')}`;
    lines.push(`    ${where}: ${nameOf(row)}; ${groups.join(', ')}${employeeId === null ? '' : `; id ${employeeId}`}`);
  }
  const end = outcome ?? (state === null ? 'nothing was to be sent' : state === 'held' ? 'held' : 'not sent yet');
  const twice = repeated ? ', may have been sent twice' : '';
  lines.push(`    ${action ?? 'not compared yet'}: ${end}${twice}${reason === '' ? '' : `: ${reason}`}`);
  for (const { call, calledAt, kind, httpStatus, results, body, reason: why } of person.calls) {
    const answered = `${kind}${httpStatus === null ? '' : ` HTTP ${httpStatus}`}${why === '' ? '' : `: ${why}`}`;
    lines.push(`    call ${call}, ${at(calledAt)}: ${answered}`);
    for (const { group, status: said, inserts, warnings } of results) {
      lines.push(`      ${group}: ${said}, ${count(inserts, 'insert')}, ${count(warnings, 'warning')}`);
    }
    if (body !== null) lines.push(`      answer: ${body}`);
  }
  return lines;
}
