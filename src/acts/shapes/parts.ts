// The parts that several JSON documents share: counts, times, states.
import { z } from 'zod';
import { outcomes } from '../../core/call/outcome.ts';
import { runStates } from '../../core/run/states.ts';
import { sentActions, triggers } from '../../core/run/run.ts';

export const text = z.string();
export const texts = z.array(text);
export const textOrNull = text.nullable();
/** A whole number from 0. */
export const count: z.ZodInt = z.int().min(0);
/** ISO 8601, in UTC. */
export const time: z.ZodISODateTime = z.iso.datetime();
/** The same, or null for what has not happened. */
export const timeOrNull = time.nullable();
export const Status = z.enum(runStates);
export const Trigger = z.enum(triggers);
export const Action = z.enum([...sentActions, 'later']);
export const Outcome = z.enum(outcomes);

/** How a list is written, by the ending of its file. */
export const sheetFormats = ['csv', 'xlsx', 'json', 'ndjson'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

/** What to do next, as values: each face has its own names for them. */
export const Next = z
  .array(z.record(z.string(), z.string()))
  .exactOptional()
  .describe('What to do next: acts with the run or the name they are about, or settings.');

/** What an act takes that needs nothing, and answers that only does something. */
export const Nothing = z.strictObject({});
