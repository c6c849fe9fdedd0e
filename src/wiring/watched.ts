// Has the figures of a process count rejects, calls and waits for the pace.
import type { Ledger } from '../ledger/ledger.ts';
import type { Figures } from '../process/figures.ts';
import type { Pacer } from '../queue/pacer.ts';
import type { ServiceClient } from '../service/client.ts';

/** A ledger whose rejects are counted. */
export function watchLedger(ledger: Ledger, figures: Figures): Ledger {
  return {
    ...ledger,
    async addRejects(runId, rejects) {
      await ledger.addRejects(runId, rejects);
      for (const [kind, rows] of Map.groupBy(rejects, ({ kind = 'other' }) => kind)) figures.rejects(kind, rows.length);
    },
    async rejectPerson(...given) {
      const rejected = await ledger.rejectPerson(...given);
      figures.rejects(given[2][0]?.kind ?? 'other', 1);
      return rejected;
    },
  };
}

/** What a process delivers with, its calls and waits counted. */
export function watchDelivery<Parts extends { service: ServiceClient; pacer: Pacer }>(
  { service, pacer, ...rest }: Parts,
  figures: Figures,
) {
  return {
    ...rest,
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
