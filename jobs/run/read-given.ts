// Reads what a source last gave its people, to compare a roster with.
import { GivenPeople } from '../../src/core/person/given-people.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Compared } from '../../src/ledger/planning/unchanged-people.ts';

/** Reads two pages at a time: neither side waits for the other, and a server with idle processors uses two. */
export async function readGiven(ledger: Pick<Ledger, 'givenPeople'>, compared: Compared): Promise<GivenPeople> {
  const first = await ledger.givenPeople(compared, 0);
  const given = new GivenPeople(first.people * first.pages);
  given.add(first.lines);
  let next = 1;
  const readOn = async (): Promise<void> => {
    while (next < first.pages) given.add((await ledger.givenPeople(compared, next++)).lines);
  };
  await Promise.all([readOn(), readOn()]);
  return given;
}
