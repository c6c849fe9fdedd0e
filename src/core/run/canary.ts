// The stages of a canary release, and what pauses it between them.
import { isRecord } from '../rows/path.ts';
import { parseJson } from '../attempt.ts';
import { say } from '../words/say.ts';
import type { Stop } from './run.ts';

/** A run with fewer calls than this is sent at once. */
export const leastForCanary = 50;
/** The most people sent first: one of each distinct set of groups. */
export const mostCanaries = 10;
/** Then this share of the rest; then all. */
export const secondShare = 0.1;
export const lastStage = 2;

/** If more than this share of a stage is not delivered, a person should check. */
const failingShare = 0.2;

/** The fields of a group insert's answer that the interface names (interface.md). */
const documented = new Set(['status', 'hash', 'response_time', 'data']);
const documentedOfGroup = new Set(['group', 'status', 'inserts', 'warnings']);

/** Something about the answers of a run: what kind it is, how often it was seen, and one of the reasons given. */
export interface Evidence {
  /** `1 warning`, `group status partial`, `rejected 400`, `field notice`. */
  kind: string;
  count: number;
  example: string;
}

/** Fields of an answer that the interface does not name; none if it is no JSON. */
export function unknownFields(body: string): string[] {
  const answer = parseJson(body);
  if (!isRecord(answer)) return [];
  const { data } = answer;
  const results = Array.isArray(data) ? data.filter(isRecord) : [];
  const found = [
    ...Object.keys(answer).filter((name) => !documented.has(name)),
    ...results.flatMap((result) => Object.keys(result).filter((name) => !documentedOfGroup.has(name))),
  ];
  return [...new Set(found)];
}

export interface StageAnswers {
  /** Not seen before at this service. */
  unseen: readonly Evidence[];
  /** How many ended, and how many of them were not delivered; `again` ones left out. */
  ended: number;
  failed: number;
}

/** Why a canary release stops before its next stage; undefined when nothing looks wrong. */
export function reasonToStop({ unseen, ended, failed }: StageAnswers): Stop | undefined {
  if (unseen.length > 0) {
    const said = unseen.map(
      ({ kind, count, example }) => `${kind}, ${times(count)}${example === '' ? '' : ` (${example})`}`,
    );
    return { by: 'service', reason: say('unseenAtFirst', 1, { ended, unseen: said.join('; ') }) };
  }
  if (failed > ended * failingShare) {
    return { by: 'service', reason: say('failedAtFirst', 1, { ended, failed }) };
  }
  return undefined;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
