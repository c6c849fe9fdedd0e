// The acts about answers to stories: counts that are kept, how far people are, and their roster.
import { z } from 'zod';
import { type AnalysisRequest } from '../core/story/analysis.ts';
import type { AnswerFigures } from '../core/story/answer-tally.ts';
import { hideSmallGroups, RosterPerson } from '../core/story/completion.ts';
import { answersSchedule } from '../core/run/schedule.ts';
import { InputError } from '../core/errors.ts';
import { AnswersDocument, Completion, CompletionQuery, LastRoster } from './shapes/story.ts';
import { refuseUnknown } from '../intake/brought-file.ts';
import { act, look } from './act.ts';
import { serviceOf } from './perform.ts';
import { Nothing } from './shapes/parts.ts';

const mostSnapshots = 400;
const none = { none: 'it names no person' };
const ofRoster = z.strictObject({ service: z.string(), source: z.string() });

/** Counts of answers that a terminal has asked the service for; they name no person. */
export const keepAnswers = act({
  id: 'stories.keep',
  scope: 'run',
  input: z.strictObject({
    service: z.string(),
    request: z.custom<AnalysisRequest>(),
    figures: z.custom<AnswerFigures>(),
  }),
  output: z.object({ isKept: z.boolean() }),
  run: async ({ context: { ledger } }, snapshot) => ({ isKept: await ledger.keepAnswers(snapshot) }),
  audit: none,
  http: { none: 'answers.schedule has a server keep them' },
});

export const listAnswers = look({
  id: 'stories.answers',
  input: Nothing,
  output: AnswersDocument,
  async run({ context }) {
    const service = serviceOf(context);
    const kept = await context.ledger.listAnswers(service, mostSnapshots);
    const last = (await context.ledger.listSchedules(service)).find(({ source }) => source === answersSchedule)?.last;
    return {
      service,
      snapshots: kept.toReversed().map(({ takenAt, ...rest }) => ({ takenAt: takenAt.toISOString(), ...rest })),
      ...(last && { last: { at: last.dueAt.toISOString(), result: last.result, reason: last.reason } }),
    };
  },
  http: { none: 'GET /completion shows how far people are' },
});

export const listCompletion = look({
  id: 'stories.completion',
  input: CompletionQuery,
  output: Completion,
  async run({ context }, { source, limit, minCell }) {
    refuseUnknown(context, source);
    const kept = await context.ledger.listCompletion({ service: serviceOf(context), source }, limit);
    const completion = kept.map(({ takenAt, rosterAt, story, total, groups }) => {
      return { at: takenAt.toISOString(), rosterAt, story, shown: hideSmallGroups(total, groups, minCell) };
    });
    return { source, minCell, completion };
  },
  http: { route: 'GET /completion', operation: 'listCompletion' },
});

export const lastRoster = look({
  id: 'stories.roster',
  input: ofRoster,
  output: LastRoster,
  async run({ context: { ledger } }, { service, source }) {
    const roster = await ledger.lastRoster({ service, source });
    if (roster === undefined) {
      throw new InputError(`No roster of ${source} was sent to ${service} yet.`, { next: [{ act: 'runs.list' }] });
    }
    if (roster.isRemoved) {
      throw new InputError(
        `The people of the last roster of ${source} are no longer kept (retention): import it again.`,
      );
    }
    return { ...roster, at: roster.at.toISOString() };
  },
  http: { none: 'only a terminal joins answers itself' },
});

/** A page of the people of a roster, in the order of their keys. */
export const rosterPeople = act({
  id: 'stories.people',
  scope: 'read',
  input: ofRoster.extend({ runIds: z.array(z.string()), after: z.string(), limit: z.int() }),
  output: z.array(RosterPerson),
  run: ({ context: { ledger } }, { after, limit, ...of }) => ledger.rosterPeople(of, after, limit),
  audit: { none: 'a page of what a terminal joins; the file that comes of it is its own' },
  http: { none: 'only a terminal joins answers itself' },
});
