import { patterns } from './targets/patterns.ts';
import { rosters } from './targets/rosters.ts';
import { scim } from './targets/scim.ts';
import { service } from './targets/service.ts';
import { settings } from './targets/settings.ts';
import { webhooks } from './targets/webhooks.ts';
import type { FuzzTarget } from './target.ts';

/** Every parser of what comes from outside. */
export const fuzzTargets: readonly FuzzTarget[] = [...rosters, ...webhooks, ...scim, settings, ...service, ...patterns];
