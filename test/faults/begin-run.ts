import { type Production, untilCalls } from './place.ts';

/** More people than two workers have called when the fault comes. */
export const people = 200;

/** Begins a run of these people that two workers at least deliver, and waits until it is in the middle. */
export async function beginRun(place: Production): Promise<string> {
  const { rows } = await place.pool.query('select 1 from workers');
  for (let workers = rows.length; workers < 2; workers += 1) await place.startWorker();
  place.sandbox.clearCalls();
  const run = await place.release(people);
  await untilCalls(place.sandbox, 40);
  return run;
}
