// p-limit alone: no queue, so a process that ends forgets who is still to be called.
import pLimit from 'p-limit';

export function open({ people, concurrency, deliver }) {
  const limit = pLimit(concurrency);
  return () => Promise.all(people.map((person) => limit(() => deliver(person))));
}
