// The sandbox's settings and their defaults, and its choices where the interface says "not shown".
import { defined } from '../core/defined.ts';
import { InputError } from '../core/errors.ts';
import { type Fault, parseFault } from './fault.ts';
import type { RecordDepth } from './record.ts';
import { madeUpStories, type SandboxStory, seededStories } from './stories.ts';

/** The token of a sandbox that is given none: `sandbox:sandbox` in Base64. It is no secret. */
export const sandboxToken = 'c2FuZGJveDpzYW5kYm94';

export interface SandboxOptions {
  /** Default 0: any free port. */
  port?: number;
  /** The address to listen on, default 127.0.0.1. The control routes exist only on a loopback address. */
  host?: string;
  /** A path in front of both operations, such as `/api`; default none. */
  prefix?: string;
  /** The Base64 token that calls must carry; default `sandboxToken`. */
  token?: string;
  /** Everything that is drawn is drawn from this whole number; default 1. */
  seed?: number;
  /** Faults, as objects or in their text form. */
  faults?: readonly (Fault | string)[];
  /** Other answers to what interface.md leaves open. */
  assumptions?: Partial<Assumptions>;
  /** What the record keeps, default `full`. */
  record?: RecordDepth;
  /** Default: the seeded stories; a number asks for that number of made-up stories. */
  stories?: readonly SandboxStory[] | number;
  /** Made-up users who are there from the start; default none. */
  users?: number;
  /** The share of users who take a story, from 0 to 1; default 0.7. */
  answerRate?: number;
  /** Bodies longer than this many bytes are answered 413; default 1 MiB. */
  maxBodyBytes?: number;
  /** The time under the sandbox's clock, in epoch milliseconds; default `Date.now`. */
  now?: () => number;
}

/** The options with everything filled in. */
export interface Settings extends Required<Omit<SandboxOptions, 'faults' | 'assumptions' | 'stories'>> {
  stories: readonly SandboxStory[];
  faults: Fault[];
  assumptions: Assumptions;
  authorization: string;
}

/** Fills in the defaults; throws `InputError` for a value that cannot be. */
export function resolveOptions(options: SandboxOptions): Settings {
  const given = { ...defaults, ...defined({ ...options }) };
  const { port, token, seed, answerRate, prefix, faults, assumptions, stories } = given;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InputError(`${port} is not a port`);
  if (!Number.isSafeInteger(seed)) throw new InputError(`the seed is a whole number, not ${seed}`);
  if (!(answerRate >= 0 && answerRate <= 1)) throw new InputError(`the answer rate is from 0 to 1, not ${answerRate}`);
  if (prefix !== '' && !/^(\/[\w.~-]+)+$/.test(prefix)) throw new InputError(`"${prefix}" is not a path like /api`);
  return {
    ...given,
    faults: faults.map(parseFault),
    assumptions: resolveAssumptions(assumptions),
    authorization: `Basic ${token}`,
    stories: typeof stories === 'number' ? madeUpStories(stories) : stories,
  };
}

const defaults: Required<SandboxOptions> = {
  ...{ port: 0, host: '127.0.0.1', prefix: '', token: sandboxToken, seed: 1, faults: [], assumptions: {} },
  ...{ record: 'full', stories: seededStories, users: 0, answerRate: 0.7, maxBodyBytes: 1024 * 1024, now: Date.now },
};

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
function resolveAssumptions(given: Readonly<Record<string, string>> | Partial<Assumptions> = {}): Assumptions {
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
