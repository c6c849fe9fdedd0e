// The states of a delivery, and every move between them.

/** What a delivery waits for; `done` has an outcome. */
export type DeliveryState = 'held' | 'waiting' | 'due' | 'queued' | 'claimed' | 'done';

/** A change of state that has a name. */
export interface DeliveryMove {
  /** None for a delivery that is new. */
  from: readonly DeliveryState[];
  to: readonly DeliveryState[];
  /** When it happens. */
  when: string;
}

/**
 * Every move of a delivery. Only `src/ledger/moves` makes them, and the database of a ledger refuses a change of
 * state that is none of them.
 */
export const deliveryMoves = {
  plan: { from: [], to: ['held', 'waiting', 'due'], when: 'its run is released, or held' },
  approve: { from: ['held'], to: ['waiting', 'due'], when: 'a person approves what guards held' },
  feed: { from: ['due', 'waiting'], to: ['queued'], when: 'it is due, or its stage of a careful release is open' },
  feedAgain: { from: ['queued'], to: ['due'], when: 'the queue has lost it' },
  claim: { from: ['queued'], to: ['claimed'], when: 'a worker takes it, and with it the lane of its person' },
  handBack: { from: ['queued', 'claimed'], to: ['due'], when: 'it is not its turn yet' },
  takeBack: { from: ['claimed'], to: ['due'], when: 'the process that had it is dead' },
  tryAgain: { from: ['claimed'], to: ['due'], when: 'its call is to be repeated later' },
  end: { from: ['claimed'], to: ['done'], when: 'its call has settled it' },
  recordLate: {
    from: ['due', 'queued'],
    to: ['claimed'],
    when: 'a receipt is found of a process that has ended, and nobody has called since',
  },
  supersede: {
    from: ['held', 'waiting', 'due', 'queued', 'claimed'],
    to: ['done'],
    when: 'a newer roster has overtaken it, or another run has given the same',
  },
  cancel: { from: ['waiting', 'due', 'queued', 'claimed'], to: ['done'], when: 'its person is erased' },
  retry: { from: ['done'], to: ['due'], when: 'a person retries the failures of a run' },
} as const satisfies Record<string, DeliveryMove>;
