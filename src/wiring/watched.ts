// Has the figures of a process count what ledger, queue, client and pace do.
import { rejectKind } from '../core/rows/reject-kind.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Figures } from '../process/figures.ts';
import type { Pacer } from '../queue/pacer.ts';
import type { DeliveryQueue } from '../queue/queue.ts';
import type { ServiceClient } from '../service/client.ts';

/** What each delivery asks of the ledger; everything else counts as `other`. */
const ofDeliveries = new Set(['claim', 'begin', 'record', 'handBack', 'findDue', 'addEvent']);

type Deed = (...given: never[]) => unknown;

function timed<Does extends Deed>(does: Does, took: (seconds: number) => void): Does {
  const timing = (...given: never[]): unknown => {
    const began = performance.now();
    const result = does(...given);
    const ended = (): void => took((performance.now() - began) / 1000);
    if (result instanceof Promise) result.then(ended, ended);
    return result;
  };
  return timing as Does;
}

/** A ledger whose operations are timed, and whose rejects are counted. */
export function watchLedger(ledger: Ledger, figures: Figures): Ledger {
  const watched = Object.entries(ledger).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'function' || name === 'everybody') return [name, value];
    const operation = ofDeliveries.has(name) ? name : 'other';
    return [name, timed(value as Deed, (seconds) => figures.ledger(operation, seconds))];
  });
  const all = Object.fromEntries(watched) as unknown as Ledger;
  return {
    ...all,
    async addRejects(runId, rejects) {
      await all.addRejects(runId, rejects);
      for (const [kind, rows] of Map.groupBy(rejects, ({ reason }) => rejectKind(reason)))
        figures.rejects(kind, rows.length);
    },
    async rejectPerson(...given) {
      const rejected = await all.rejectPerson(...given);
      figures.rejects('shared-address', 1);
      return rejected;
    },
  };
}

/** What a process delivers with, its times counted. */
export function watchDelivery<Parts extends { queue: DeliveryQueue; service: ServiceClient; pacer: Pacer }>(
  { queue, service, pacer, ...rest }: Parts,
  figures: Figures,
) {
  const took = (operation: string) => (seconds: number) => figures.queue(operation, seconds);
  return {
    ...rest,
    queue: {
      ...queue,
      add: timed(queue.add, took('add')),
      size: timed(queue.size, took('size')),
    } satisfies DeliveryQueue,
    service: over(service, {
      async insertGroups(...given) {
        const began = performance.now();
        const answer = await service.insertGroups(...given);
        figures.call(answer.kind, (performance.now() - began) / 1000);
        return answer;
      },
    }),
    pacer: over(pacer, {
      async slot(...given) {
        const began = performance.now();
        const slot = await pacer.slot(...given);
        if (slot.go) figures.paced((performance.now() - began) / 1000);
        return slot;
      },
    }),
  };
}

/** An object with some of its methods replaced; what it computes when asked, such as its share, is still computed then. */
function over<Whole extends object>(whole: Whole, methods: Partial<Whole>): Whole {
  return Object.assign(Object.create(whole) as Whole, methods);
}
