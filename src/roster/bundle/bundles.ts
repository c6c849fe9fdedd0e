// Lists every known kind of bundle.
import type { Bundle } from './bundle.ts';
import { canvas } from './canvas.ts';
import { oneRoster } from './one-roster.ts';
import { sdsV1 } from './sds-v1.ts';
import { sdsV2 } from './sds-v2.ts';

/** Every kind of bundle that is known; the first one that recognises a folder has it. */
export const bundles: readonly Bundle[] = [sdsV1, canvas, oneRoster, sdsV2];
