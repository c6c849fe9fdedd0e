// Refuses texts that the ledger cannot store.
import type { FastifyInstance } from 'fastify';
import { RequestError } from '../problems.ts';

/** Whether a text can be kept: PostgreSQL has no NUL, and half of a surrogate pair is no character. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether all texts of a value can be kept. The value is as deep as the parser of bodies lets it be. */
function areStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorable(key) && areStorable(inner));
}

/** Refuses texts that no ledger can keep or look for, in paths, queries and bodies. */
export function refuseOddTexts(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body, routeOptions }) => {
    const isText = routeOptions.config.takesFile !== true;
    if ([params, query, ...(isText ? [body] : [])].every(areStorable)) return;
    throw new RequestError(400, 'TEXT', 'A text in it has a NUL or half of a surrogate pair: send it without.');
  });
}
