// Lists every known kind of bundle.
import type { Bundle } from './bundle.ts';
import { canvas } from './canvas.ts';
import { plainName } from './folder.ts';
import { oneRoster } from './one-roster.ts';
import { sdsV1 } from './sds-v1.ts';
import { sdsV2 } from './sds-v2.ts';

/** Every kind of bundle that is known; the first one that recognises a folder has it. */
export const bundles: readonly Bundle[] = [sdsV1, canvas, oneRoster, sdsV2];

/** Whether files may be a bundle by their names: one with people and at least one that belongs to it. */
export function isBundle(names: readonly string[]): boolean {
  const plain = new Set(names.map(plainName));
  return bundles.some(({ files: [people, ...others] }) => {
    return plain.has(people.toLowerCase()) && others.some((other) => plain.has(other.toLowerCase()));
  });
}
