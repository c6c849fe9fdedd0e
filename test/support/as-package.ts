import { registerHooks } from 'node:module';

/** Loaded with --import: `roster-sync` is this checkout, as it is in the project of somebody who has installed it. */
const own = new URL('../../src/index.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'roster-sync' ? own : specifier, context),
});
