import { Queue, Worker } from 'bullmq';

const chunk = 500;

export async function open({ redisUrl, people, concurrency, deliver }) {
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue('peers', { connection });
  for (let at = 0; at < people.length; at += chunk)
    await queue.addBulk(people.slice(at, at + chunk).map((data) => ({ name: 'group-insert', data })));
  await queue.close();
  const worker = new Worker('peers', ({ data }) => deliver(data), {
    connection,
    concurrency,
    autorun: false,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('error', console.error);
  await worker.waitUntilReady();
  return () => worker.run();
}
