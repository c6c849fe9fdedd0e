// With what its notes name for many small jobs: a local queue, and completions in batches.
import { open as openPlain } from './graphile.mjs';

export const open = (options) =>
  openPlain(options, { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 });
