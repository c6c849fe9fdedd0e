// `worker`: delivers until it is stopped; several can run on several machines.
import { once } from 'node:events';
import type { FastifyInstance } from 'fastify';
import { startDelivering } from '../../../jobs/index.ts';
import { InputError } from '../../core/errors.ts';
import { cannotListen } from '../../core/host/this-machine.ts';
import { createReadiness } from '../../server/readiness.ts';
import { createWorkerApp } from '../../server/worker-app.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { type GlobalOptions, openSession, withContext } from '../frame/session.ts';
import { figuresOf } from '../frame/figures-of.ts';
import { readPort } from '../frame/read-port.ts';
import { logThrottles } from './throttled.ts';

export interface WorkerOptions extends GlobalOptions {
  concurrency?: string;
  /** Where `/healthz`, `/readyz` and `/metrics` are answered; nowhere unless a port is given. */
  host: string;
  port?: string;
}

/**
 * As many as you like. SIGTERM finishes the calls in flight and hands the rest back; a second one ends it at once.
 */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const session = openSession(options, [
    { flag: '--concurrency', setting: 'delivery.concurrency', value: options.concurrency },
  ]);
  const { config, log, output } = session;
  const port = options.port === undefined ? undefined : readPort(options.port);
  if (!config.redisUrl || !config.databaseUrl) {
    throw new InputError(
      'A worker shares its work with others: it needs both REDIS_URL and DATABASE_URL. ' +
        'Without them `import` and `resume` deliver by themselves.',
    );
  }
  return withContext(session, { command: 'worker', create: true, figures: figuresOf(config) }, async (context) => {
    const delivery = await context.openDelivery(config.delivery.rate);
    const deliverer = startDelivering(delivery, {
      concurrency: config.delivery.concurrency,
      events: {
        answered: logThrottles(log),
        outage: (reason) => log.warn({ reason }, 'the service does not answer; one call a minute tries again'),
      },
    });
    log.info({ worker: context.ledger.worker, service: delivery.service.address }, 'worker started');
    const app = port === undefined ? undefined : await answerMonitors(delivery, { host: options.host, port });
    const interruptions = listenForInterruptions(() =>
      output.note('Finishing the calls in flight. Press Ctrl-C again to stop at once.'),
    );
    try {
      const asked = interruptions.signal.aborted ? Promise.resolve() : once(interruptions.signal, 'abort');
      await Promise.race([asked, deliverer.failure]);
    } finally {
      await Promise.all([deliverer.stop(), app?.close()]);
      interruptions.dispose();
    }
    log.info('worker stopped');
    return 0;
  });
}

async function answerMonitors(
  delivery: DeliveryContext,
  place: { host: string; port: number },
): Promise<FastifyInstance> {
  const { ledger, queue, log } = delivery;
  const notReady = createReadiness([
    { name: 'ledger', ask: ledger.ledgerId },
    { name: 'queue', ask: queue.size },
  ]);
  const app = await createWorkerApp({ context: delivery, notReady, host: place.host });
  const address = await app.listen(place).catch((error: unknown) => {
    throw cannotListen('worker', place, error);
  });
  log.info({ address }, 'health and metrics are answered');
  return app;
}
