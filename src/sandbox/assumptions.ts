// The sandbox's choices where the interface says "not shown".
import { InputError } from '../core/errors.ts';

/**
 * What the sandbox does where interface.md says "not shown": for each question the answers it can give, its choice
 * first. docs/sandbox.md says what each of them means.
 */
export const assumptionChoices = {
  repeat: ['warning', 'silent'],
  existingUser: ['update', 'keep'],
  forceSyncRemoves: ['manual', 'all', 'none'],
  groupNames: ['exact', 'ignore-case'],
  emptyGroups: ['refuse', 'accept'],
  missingUser: ['refuse', 'accept'],
  unknownFields: ['refuse', 'ignore'],
  contentType: ['json', 'any'],
  wrongToken: ['401', '403'],
  errorBody: ['json', 'text', 'empty'],
  responseTime: ['seconds', 'milliseconds'],
  absentFields: ['empty', 'omit'],
  unansweredStories: ['keep', 'omit'],
} as const;

type Choices = typeof assumptionChoices;

/** One chosen answer for each question that interface.md leaves open. */
export type Assumptions = { [Question in keyof Choices]: Choices[Question][number] };

/** Fills up what is not given with the sandbox's own choices; throws `InputError` for an unknown question or answer. */
export function resolveAssumptions(given: Readonly<Record<string, string>> | Partial<Assumptions> = {}): Assumptions {
  const questions: Record<string, readonly string[]> = assumptionChoices;
  for (const [question, answer] of Object.entries(given)) {
    const answers = Object.hasOwn(questions, question) ? questions[question] : undefined;
    if (!answers) throw new InputError(`no assumption is called "${question}": ${Object.keys(questions).join(', ')}`);
    if (!answers.includes(answer)) {
      throw new InputError(`the assumption "${question}" is one of ${answers.join(', ')}, not "${answer}"`);
    }
  }
  return { ...ownChoices, ...given } as Assumptions;
}

const ownChoices = Object.fromEntries(Object.entries(assumptionChoices).map(([question, [own]]) => [question, own]));

/** Reads `question=answer` texts, as a command line gives them; throws `InputError` saying what is wrong with one. */
export function parseAssumptions(texts: readonly string[]): Assumptions {
  const given = new Map<string, string>();
  for (const text of texts) {
    const [question, answer, ...rest] = text.split('=');
    if (!question || !answer || rest.length > 0) throw new InputError(`"${text}" is not of the form question=answer`);
    given.set(question, answer);
  }
  return resolveAssumptions(Object.fromEntries(given));
}
