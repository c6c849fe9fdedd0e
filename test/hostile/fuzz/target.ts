import { ScimError } from '../../../src/core/scim/attributes.ts';
import { RosterSyncError } from '../../../src/core/errors.ts';

/** A parser, what it is given that is right, and how it is asked. It may throw our own errors only. */
export interface FuzzTarget {
  name: string;
  /** What it reads without an error. */
  good: readonly Buffer[];
  /** Words of its language, put in at random places. */
  words: readonly string[];
  /** How inputs are taken apart, besides as bytes. */
  form?: 'json' | 'lines';
  /** @throws Error that is not ours where something is wrong that should never be */
  read(bytes: Buffer): unknown;
}

/** Whether an error is one that the product throws on purpose. */
export const isOurs = (error: unknown): boolean => error instanceof RosterSyncError || error instanceof ScimError;

/** @throws Error with what should never be */
export function never(what: string, isSo: boolean): void {
  if (isSo) throw new Error(what);
}
