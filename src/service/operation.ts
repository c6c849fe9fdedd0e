// The path of each operation, and how its success is read.
import type { z } from 'zod';
import type { GroupResult } from '../core/call/answer.ts';
import { GroupInsertResponse, StoryQuestionAnalysisResponse } from './contract.ts';

/** What is read from the body of a success. */
export interface Success {
  results: GroupResult[];
  hash: string;
  responseTime: number;
}

export interface Operation {
  /** Below the base URL. */
  path: string;
  /** The success in a parsed body, or in words why it is not of the documented shape. */
  read(json: unknown): Success | string;
}

export const groupInsert: Operation = {
  path: '/v1/groups/insert',
  read(json) {
    const { success, data: envelope, error } = GroupInsertResponse.safeParse(json);
    if (!success) return describeIssues(error);
    return { results: envelope.data, hash: envelope.hash, responseTime: envelope.response_time };
  },
};

/** Questions and answers of stories; here only to see whether the service is there, so no story is read out. */
export const questionAnalysis: Operation = {
  path: '/v1/logs/story-question-analysis',
  read(json) {
    const { success, data: envelope, error } = StoryQuestionAnalysisResponse.safeParse(json);
    if (!success) return describeIssues(error);
    return { results: [], hash: envelope.hash, responseTime: envelope.response_time };
  },
};

/** The first three issues; they name fields and types, never values. */
function describeIssues(error: z.ZodError): string {
  const issues = error.issues.map(({ path, message }) => `${path.join('.') || 'the body'}: ${message}`);
  return issues.slice(0, 3).join('; ');
}
