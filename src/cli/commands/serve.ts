// `serve`: delivers, keeps schedules, and answers on HTTP until it is stopped.
import { once } from 'node:events';
import { startDelivering } from '../../../jobs/index.ts';
import { cannotListen } from '../../core/host/this-machine.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createApp } from '../../server/app.ts';
import type { ServerParts } from '../../server/parts.ts';
import { createReadiness } from '../../server/readiness.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { type GlobalOptions, openSession, withContext } from '../frame/session.ts';
import { figuresOf } from '../frame/figures-of.ts';
import { readPort } from '../frame/read-port.ts';
import { logThrottles } from './throttled.ts';

export interface ServeOptions extends GlobalOptions {
  host: string;
  port: string;
  /** False with `--no-worker`. */
  worker: boolean;
  /** Called once it listens, with the server's address. */
  onListening?(address: string, ledger: Ledger): Promise<void>;
}

export async function serve(options: ServeOptions): Promise<number> {
  const port = readPort(options.port);
  const session = openSession(options);
  const { config, log, output } = session;
  return withContext(
    session,
    { command: 'serve', create: true, figures: figuresOf(config) },
    async (context, answering) => {
      const delivery = await context.openDelivery(config.delivery.rate);
      const { ledger, queue } = delivery;
      const notReady = createReadiness([
        { name: 'ledger', ask: ledger.ledgerId },
        { name: 'queue', ask: queue.size },
      ]);
      const deliverer = options.worker
        ? startDelivering(delivery, {
            concurrency: config.delivery.concurrency,
            events: {
              answered: logThrottles(log),
              outage: (reason) => log.warn({ reason }, 'the service does not answer; one call a minute tries again'),
            },
          })
        : undefined;
      const interruptions = listenForInterruptions(() =>
        output.note('Finishing the calls in flight. Press Ctrl-C again to stop at once.'),
      );
      const parts: ServerParts = { context: delivery, notReady, poke: () => deliverer?.poke(), host: options.host };
      const app = await createApp(parts);
      try {
        answering.as(parts);
        const place = { host: options.host, port };
        const address = await app.listen(place).catch((error: unknown) => {
          throw cannotListen('serve', place, error);
        });
        parts.address = address;
        output.note(`Serving on ${address}${options.worker ? ', delivering what is due' : ''}. Ctrl-C ends it.`);
        await options.onListening?.(address, ledger);
        const asked = interruptions.signal.aborted ? Promise.resolve() : once(interruptions.signal, 'abort');
        await Promise.race(deliverer ? [asked, deliverer.failure] : [asked]);
      } finally {
        // Side by side: a client that is slow to leave must not let further calls begin.
        await Promise.all([app.close(), answering.close(), deliverer?.stop()]);
        interruptions.dispose();
      }
      return 0;
    },
  );
}
