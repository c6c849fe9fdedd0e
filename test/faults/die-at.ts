/**
 * Loaded before the command line (`--import`), it decorates one function of the real context so that the process
 * kills itself with SIGKILL there. `DIE_AT` says where: `before ledger.record 7` is before the seventh call of it,
 * `after ledger.record 7` when that call has resolved; for a list, `after ledger.backupText 5` when so many items were given
 * out. What came too late for its slot of the pace is not counted: on a busy machine that happens, and nobody was called.
 * `TEMPO` is the factor by which everything that waits for others takes longer, `PROBE_TEMPO` another one
 * for the probes of an outage. The product's code knows nothing of them.
 */
import { registerHooks } from 'node:module';

const wrapper = new URL('dying-context.ts', import.meta.url).href;
const wrapped = new URL('../../src/wiring/context.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url === wrapped && context.parentURL !== wrapper ? { ...resolved, url: wrapper } : resolved;
  },
});
