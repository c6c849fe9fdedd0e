import { Logger, makeWorkerUtils, run } from 'graphile-worker';

const chunk = 1000;
const logger = new Logger(() => (level, message) => {
  if (level === 'error' || level === 'warning') console.error(message);
});

/** As it comes; `worker` is what a preset sets besides. */
export async function open({ databaseUrl, people, concurrency, deliver }, worker = {}) {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, logger });
  await utils.migrate();
  for (let at = 0; at < people.length; at += chunk)
    await utils.addJobs(people.slice(at, at + chunk).map((payload) => ({ identifier: 'group-insert', payload })));
  await utils.release();
  return async () => {
    const runner = await run({
      preset: {
        worker: {
          connectionString: databaseUrl,
          concurrentJobs: concurrency,
          maxPoolSize: concurrency + 5,
          logger,
          ...worker,
        },
      },
      noHandleSignals: true,
      taskList: { 'group-insert': (person) => deliver(person) },
    });
    await runner.promise;
  };
}
