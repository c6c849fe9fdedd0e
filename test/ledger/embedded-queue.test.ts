import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, suite, test } from 'node:test';
import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq';
import type { JobProgress, PgPool, PostgresConnectionOptions, PostgresQueueBackend } from 'bullmq';
import { type Generated, Kysely, PostgresDialect } from 'kysely';
import type { EmbeddedDatabase } from '../../src/ledger/database/embedded/embedded.ts';
import { openEmptyEmbedded } from '../support/empty-data-directory.ts';

interface Tables {
  note: { id: Generated<number>; text: string };
}
type Data = { n: number };
const TestQueue = Queue<Data, number, string, Data, number, string, PostgresQueueBackend, PostgresConnectionOptions>;
const TestWorker = Worker<Data, number, string, PostgresQueueBackend, JobProgress, PostgresConnectionOptions>;

suite('BullMQ and kysely over one embedded database', () => {
  let db: EmbeddedDatabase;
  let kysely: Kysely<Tables>;
  before(async () => {
    db = await openEmptyEmbedded();
    const client = await db.pool.connect();
    await runMigrations(client, 'bullmq', {});
    client.release();
    await db.pool.query('CREATE TABLE note (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)');
    kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: db.pool }) });
  });
  after(() => db.close());

  /** A queue and a running worker for the time of one test; no error may have been emitted by its end. */
  async function withQueue(
    name: string,
    process: (data: Data) => Promise<number>,
    use: (queue: InstanceType<typeof TestQueue>, worker: InstanceType<typeof TestWorker>) => Promise<void>,
  ): Promise<void> {
    const connection = db.pool as PgPool;
    const faults: Error[] = [];
    const queue = new TestQueue(name, { connection }, createPostgresBackend);
    const worker = new TestWorker(
      name,
      (job) => process(job.data),
      { connection, concurrency: 10, drainDelay: 60 },
      createPostgresBackend,
    );
    queue.on('error', (error) => faults.push(error));
    worker.on('error', (error) => faults.push(error));
    try {
      await worker.waitUntilReady();
      await use(queue, worker);
    } finally {
      await worker.close();
      await queue.close();
    }
    assert.deepEqual(faults, []);
  }

  async function untilListening(): Promise<void> {
    for (;;) {
      const { rowCount } = await db.pool.query("SELECT FROM pg_listening_channels() c WHERE c = 'bullmq_jobs'");
      if (rowCount === 1) return;
    }
  }

  test('a worker that waits for a minute is woken at once by the notification of an added job', async () => {
    await withQueue(
      'woken',
      async ({ n }) => n + 1,
      async (queue, worker) => {
        await untilListening();
        for (const n of [41, 42, 43]) {
          const completed = once(worker, 'completed');
          const started = performance.now();
          await queue.add('job', { n });
          const [, result] = await completed;
          assert.equal(result, n + 1);
          assert.ok(performance.now() - started < 20_000);
        }
      },
    );
  });

  test('jobs and transactions at the same time keep out of each other', async () => {
    await withQueue(
      'beside',
      async ({ n }) => {
        await kysely
          .transaction()
          .execute(async (tx) => {
            await tx
              .insertInto('note')
              .values({ text: `job ${n}` })
              .execute();
            if (n % 2 === 1) throw new Error('roll back');
          })
          .catch(() => {});
        return n;
      },
      async (queue, worker) => {
        const seen = new Set<number>();
        const all = new Promise<void>((resolve) => {
          worker.on('completed', (_job, n) => {
            if (seen.add(n).size === 100) resolve();
          });
        });
        await queue.addBulk(Array.from({ length: 100 }, (_, n) => ({ name: 'job', data: { n } })));
        await all;
        assert.equal(await queue.getCompletedCount(), 100);
      },
    );
    const notes = await kysely.selectFrom('note').select('text').execute();
    assert.equal(notes.length, 50);
    assert.ok(notes.every(({ text }) => Number(text.slice(4)) % 2 === 0));
  });
});
