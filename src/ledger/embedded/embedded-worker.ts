import { PGlite } from '@electric-sql/pglite';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Runs PGlite in its own thread, so that a long statement never holds up the pace, and so that a hang can be
 * ended: after an abort (a full disk, a damaged file) PGlite loops for ever at the next statement.
 *
 * What the thread says: that it is ready, PostgreSQL's reply to what it was given, or why it failed.
 */
export type FromWorker = { ready: true } | { reply: Uint8Array } | { failed: string };
/** What the thread is told: PostgreSQL's messages, or to end. */
export type ToWorker = { exec: Uint8Array } | { close: true };

const port = parentPort;
if (port === null) throw new Error('embedded-worker runs as a worker thread only');
const say = (message: FromWorker, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);

/** Why it ends, in PostgreSQL's words: only such lines, since others may quote statements with their values. */
const reasons: string[] = [];
function listen(line: string): boolean {
  const [, level, text] = /\b(PANIC|FATAL|DETAIL): +(.*)$/s.exec(line) ?? [];
  if (text !== undefined && (level !== 'DETAIL' || reasons.length > 0)) reasons.push(text);
  return false;
}

function because(error: unknown): string {
  if (reasons.length > 0) return reasons.slice(0, 4).join('; ').replace(/\.$/, '');
  return error instanceof Error ? error.message : String(error);
}

try {
  const db = await PGlite.create({ dataDir: String(workerData), onStderr: listen });
  Object.assign(db.Module, { onAbort: (what: unknown) => say({ failed: because(what) }) });
  port.on('message', (request: ToWorker) => {
    if ('close' in request) {
      const end = (): void => port.close();
      db.close().then(end, end);
      return;
    }
    const chunks: Uint8Array[] = [];
    db.execProtocolRawStream(request.exec, { syncToFs: false, onRawData: (bytes) => chunks.push(bytes.slice()) }).then(
      () => {
        const reply = new Uint8Array(Buffer.concat(chunks));
        say({ reply }, [reply.buffer]);
      },
      (error: unknown) => say({ failed: because(error) }),
    );
  });
  say({ ready: true });
} catch (error) {
  say({ failed: because(error) });
  port.close();
}
