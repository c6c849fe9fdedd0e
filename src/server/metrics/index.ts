// Answers `/metrics` for Prometheus, with the pace of the service.
import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { endsWithin } from '../../process/coalesce.ts';
import { createFigures } from '../../process/figures.ts';
import { readVersion } from '../../process/version.ts';
import type { DeliveryContext } from '../../wiring/context.ts';
import type { ServerParts } from '../parts.ts';
import { ledgerGauges, type MakeGauge, type Probe } from './ledger-gauges.ts';

/** The longest wait for one part, ms; a monitor waits ten seconds. */
const withinMs = 2000;

/**
 * `/metrics` for Prometheus. Labels hold names of sources, states and results: no person, no group, no address. It asks for
 * no token, as monitors do not have one; names other than our own are refused like everywhere. A part that is away, such
 * as a Redis that refuses to write, costs its own figures only, and `roster_sync_reachable` says which.
 * @param options.ledger false where other processes answer for the ledger they share
 */
export function registerMetrics(
  app: FastifyInstance,
  { context }: Pick<ServerParts, 'context'>,
  options: { ledger: boolean },
): void {
  const { registry } = context.figures ?? createFigures({ version: readVersion(), mode: context.mode });
  const gauge: MakeGauge = (name, help, labelNames = []) =>
    new Gauge({ name: `roster_sync_${name}`, help, labelNames: [...labelNames], registers: [registry] });
  const reachable = gauge('reachable', 'Whether ledger, queue and pace answer: 1 or 0.', ['part']);
  const queued = gauge('queue_jobs', 'Jobs in the queue.');
  const probes: Probe[] = [
    ...(options.ledger ? [ledgerGauges(context, gauge)] : []),
    {
      name: 'queue',
      update: async () => queued.set(await context.queue.size()),
      clear: () => queued.remove(),
    },
    paceGauges(context, gauge),
  ];

  async function ask({ name, update, clear }: Probe): Promise<void> {
    const answers = await endsWithin(
      withinMs,
      update().catch((error: unknown) => {
        context.trouble(`could not measure the ${name}`, error);
        throw error;
      }),
    );
    reachable.set({ part: name }, answers ? 1 : 0);
    if (!answers) clear();
  }

  app.get('/metrics', async (_request, reply) => {
    await Promise.all(probes.map(ask));
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** What the pace allows now, and until when it allows nothing. */
function paceGauges({ config, pacer }: DeliveryContext, gauge: MakeGauge): Probe {
  const limit = gauge('pace_calls_per_second', 'Calls a second that the pace allows now, over all workers.');
  const share = gauge('pace_share', 'The share of the configured rate that the service sustains, from 0 to 1.');
  const held = gauge(
    'pace_held_seconds',
    'Time until calls start again, while the service is rate-limiting us or down.',
  );
  const throttled = gauge('pace_throttled_seconds', 'Time left until the service stops rate-limiting us.');
  const outage = gauge('pace_outage', 'Whether calls stand still because the service does not answer: 1 or 0.');
  return {
    name: 'pace',
    async update() {
      const [throttle, heldMs] = await Promise.all([pacer.throttle(), pacer.gateClosedFor()]);
      const { limit: most, perMs } = config.delivery.rate;
      limit.set(((most * 1000) / perMs) * pacer.share);
      share.set(pacer.share);
      throttled.set((throttle?.forMs ?? 0) / 1000);
      held.set(heldMs / 1000);
      outage.set(pacer.outage ? 1 : 0);
    },
    clear() {
      for (const each of [limit, share, held, throttled, outage]) each.remove();
    },
  };
}
