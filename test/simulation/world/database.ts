import { MemoryFS, PGlite } from '@electric-sql/pglite';
import type { Pool, PoolClient } from 'pg';
import { createLogger } from '../../../src/process/logger.ts';
import { poolOfOne } from '../../../src/ledger/database/embedded/engine-pool.ts';
import { createSequencer } from '../../../src/process/coalesce.ts';
import { unpack } from '../../../src/ledger/database/embedded/template.ts';
import { emptyLedger } from '../../../src/wiring/empty-ledger.ts';
import type { Clock } from './clock.ts';
import { PreparedStatements } from './prepared.ts';
import { ownRandomDevice } from './random-device.ts';
import { takeSnapshot } from './snapshot.ts';

/** A real PostgreSQL in this thread, so that its clock is the simulated one; stories follow each other in it. */
export interface StoryDatabase {
  /** A pool for one story; the database is to the byte what it was for the one before. */
  fresh(whileBusy: <Result>(work: () => Promise<Result>) => Promise<Result>): Pool;
  close(): Promise<void>;
}

/** Files in memory, with what a template has. */
class TemplateFiles extends MemoryFS {
  readonly #template: Uint8Array;

  constructor(template: Uint8Array) {
    super();
    this.#template = template;
  }

  override async initialSyncFs(): Promise<void> {
    const { FS } = this.pg!.Module as unknown as {
      FS: {
        mkdirTree(path: string, mode: number): void;
        writeFile(path: string, bytes: Uint8Array, options: { canOwn: boolean }): void;
      };
    };
    const root = '/pglite/data';
    const { folders, files } = unpack(this.#template);
    FS.mkdirTree(root, 0o700);
    for (const path of folders) FS.mkdirTree(`${root}/${path}`, 0o700);
    for (const { path, size, bytes } of files) {
      let whole = bytes;
      if (size > bytes.length) (whole = new Uint8Array(size)).set(bytes);
      FS.writeFile(`${root}/${path}`, whole, { canOwn: true });
    }
  }
}

/** Every change of state, for those who want to know which were seen. */
const keepMoves = `
  create schema story;
  create table story.moves (of text, before text, after text);
  create function story.keep() returns trigger language plpgsql as $$ begin
    insert into story.moves values (tg_table_name, to_jsonb(old)->>tg_argv[0], to_jsonb(new)->>tg_argv[0]);
    return null;
  end $$;
  create trigger story_moves after insert or update of state on deliveries for each row execute function story.keep('state');
  create trigger story_moves after insert or update of status on runs for each row execute function story.keep('status');`;

/** Every statement is planned once, and not anew for the values that it is asked with. */
const settings = 'SET track_counts = off; SET plan_cache_mode = force_generic_plan';

/**
 * Opens the database, of the template from which the product makes its own.
 * @param clock what time it is while nobody plays
 * @param warmUp plays stories, to see which statements there are
 */
export async function openStoryDatabase(
  clock: Clock,
  warmUp: (database: StoryDatabase) => Promise<void>,
): Promise<StoryDatabase> {
  const template = await emptyLedger(createLogger({ quiet: true }));
  if (template === undefined) throw new Error('there is no template of an empty ledger');
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];
  const db = await asOutside(clock, async () => {
    const opened = await PGlite.create({ fs: new TemplateFiles(template), startParams });
    await opened.exec(settings);
    await opened.exec(keepMoves);
    return opened;
  });
  const beginRandom = ownRandomDevice(db);
  let beginning = takeSnapshot(db);
  const prepared = new PreparedStatements();
  const execute = async (messages: Buffer): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    const onRawData = (bytes: Uint8Array): void => void chunks.push(bytes.slice());
    await db.execProtocolRawStream(messages, { syncToFs: false, onRawData });
    return Buffer.concat(chunks);
  };
  const database: StoryDatabase = {
    fresh(whileBusy) {
      beginning.restore();
      beginRandom();
      const inSequence = createSequencer();
      const exec = (messages: Buffer): Promise<Buffer> =>
        inSequence(() => whileBusy(() => prepared.run(messages, execute)));
      return poolOfOne({ exec });
    },
    close: () => db.close(),
  };
  await warmUp(database);
  beginning.restore();
  await asOutside(clock, async () => {
    await prepared.prepare(execute, async (name) => {
      const { rows } = await db.query<{ count: number }>(
        `select coalesce(cardinality(parameter_types), 0) as count from pg_prepared_statements where name = $1`,
        [name],
      );
      const values = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null').join(', ');
      // What has no plan, such as BEGIN, needs none.
      await db.exec(`explain execute ${name}${values && `(${values})`}`).catch(() => {});
    });
  });
  beginning = takeSnapshot(db);
  return database;
}

/** Does something with the database while nobody plays, and the clock stands still. */
function asOutside<Result>(clock: Clock, work: () => Promise<Result>): Promise<Result> {
  return clock.run(() => clock.whileBusy(work));
}

/**
 * The pool as one process has it: each statement takes a while, and one that is dead gets no answer any more. Of the one client
 * that all share, a process keeps nobody off but while it has a transaction open.
 */
export function poolOf(pool: Pool, pause: () => Promise<void>): { pool: Pool; cut(): void } {
  const out = new Set<PoolClient>();
  let isCut = false;
  async function connect(): Promise<object> {
    await pause();
    let held: PoolClient | undefined;
    const letGo = (error?: boolean): void => {
      const client = held;
      held = undefined;
      if (client && out.delete(client)) client.release(error);
    };
    return {
      async query(...asked: unknown[]) {
        await pause();
        try {
          held ??= await pool.connect();
          out.add(held);
          // It was killed while it waited.
          if (isCut) return letGo();
          return await (held.query as (...given: unknown[]) => Promise<unknown>)(...asked);
        } finally {
          if (held?.getTransactionStatus() === 'I') letGo();
          // Whoever was killed meanwhile does not hear of failures either, such as a connection that was cut.
          await pause();
        }
      },
      release: letGo,
    };
  }
  const own = { connect, end: () => Promise.resolve(), options: {} };
  return {
    pool: own as unknown as Pool,
    cut() {
      isCut = true;
      for (const client of out) client.release(true);
      out.clear();
    },
  };
}
