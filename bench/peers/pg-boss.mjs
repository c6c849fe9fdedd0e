import { PgBoss } from 'pg-boss';

const [name, chunk] = ['group-insert', 1000];

/** Batches of 100, asked for as often as it may be: every half second. */
export async function open({ databaseUrl, people, deliver }) {
  const boss = new PgBoss(databaseUrl);
  boss.on('error', console.error);
  await boss.start();
  await boss.createQueue(name);
  for (let at = 0; at < people.length; at += chunk)
    await boss.insert(
      name,
      people.slice(at, at + chunk).map((data) => ({ data })),
    );
  return () =>
    boss.work(name, { batchSize: 100, pollingIntervalSeconds: 0.5 }, (jobs) =>
      Promise.all(jobs.map(({ data }) => deliver(data))),
    );
}
