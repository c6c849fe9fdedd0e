// Reads what a source last gave its people, to compare a roster with.
import { GivenPeople } from '../../src/core/person/given-people.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Compared } from '../../src/ledger/planning/unchanged-people.ts';

/** Reads who would be given nothing if their row is as it was; the next page is on its way while one is added. */
export async function readGiven(ledger: Pick<Ledger, 'givenPeople'>, compared: Compared): Promise<GivenPeople> {
  const first = await ledger.givenPeople(compared, 0);
  const given = new GivenPeople(first.people * first.pages);
  for (let at = 1, page = first; ; at += 1) {
    const next = at < first.pages ? ledger.givenPeople(compared, at) : undefined;
    // Its failure is seen when it is awaited.
    next?.catch(() => {});
    given.add(page.lines);
    if (next === undefined) return given;
    page = await next;
  }
}
