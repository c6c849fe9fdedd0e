// The figures about the pace of a service.
import type { DeliveryContext } from '../../wiring/context.ts';
import type { MakeGauge, Probe } from './probe.ts';

/** What the pace allows now, and until when it allows nothing. */
export function paceGauges({ config, pacer }: DeliveryContext, gauge: MakeGauge): Probe {
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
