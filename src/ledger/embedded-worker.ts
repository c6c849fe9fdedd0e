import { PGlite } from '@electric-sql/pglite';
import { parentPort, workerData } from 'node:worker_threads';

/** Runs PGlite in its own thread, so that a long statement never holds up the pace, and a hang can be ended. */
const port = parentPort;
if (port === null) throw new Error('embedded-worker.ts runs as a worker thread only');

function words(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

try {
  const db = await PGlite.create({ dataDir: String(workerData) });
  port.on('message', (request: { exec: Uint8Array } | { close: true }) => {
    if ('close' in request) {
      db.close().then(
        () => port.close(),
        () => port.close(),
      );
      return;
    }
    const chunks: Uint8Array[] = [];
    db.execProtocolRawStream(request.exec, { syncToFs: false, onRawData: (bytes) => chunks.push(bytes.slice()) }).then(
      () => {
        const reply = new Uint8Array(Buffer.concat(chunks));
        port.postMessage({ reply }, [reply.buffer]);
      },
      (error: unknown) => port.postMessage({ failed: words(error) }),
    );
  });
  port.postMessage({ ready: true });
} catch (error) {
  port.postMessage({ failed: words(error) });
  port.close();
}
