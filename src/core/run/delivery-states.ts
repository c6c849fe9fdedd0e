// The states of a delivery, and every move between them.

/** A `claimed` or `called` one is in flight: a row of `in_hand`; its own row says what it said before. */
export type DeliveryState = 'held' | 'waiting' | 'due' | 'claimed' | 'called' | 'done';

/** What the row of a delivery itself says; `done` has an outcome. */
export type WrittenState = Exclude<DeliveryState, 'claimed' | 'called'>;

export interface DeliveryMove {
  /** None for a delivery that is new. */
  from: readonly DeliveryState[];
  to: readonly DeliveryState[];
  when: string;
}

/** Only `src/ledger/moves` makes them; the database refuses a change of state that is none of them. */
export const deliveryMoves = {
  plan: { from: [], to: ['held', 'waiting', 'due'], when: 'its run is released, or held' },
  approve: { from: ['held'], to: ['waiting', 'due'], when: 'a person approves what guards held' },
  claim: {
    from: ['due', 'waiting'],
    to: ['claimed'],
    when: 'a worker has its job, and takes the lane of its person; of those that wait, when their stage is open',
  },
  begin: { from: ['claimed'], to: ['called'], when: 'its request is about to be written' },
  handBack: {
    from: ['waiting', 'claimed', 'called'],
    to: ['due'],
    when: 'it is not its turn yet, and it was not called',
  },
  takeBack: { from: ['claimed', 'called'], to: ['due'], when: 'the process that had it is dead' },
  tryAgain: { from: ['called'], to: ['due'], when: 'its call is to be repeated later' },
  end: { from: ['called'], to: ['done'], when: 'its call has settled it' },
  recordLate: {
    from: ['due', 'claimed'],
    to: ['called'],
    when: 'a receipt comes from a process that had ended, or seemed to be dead, and nobody has called since',
  },
  supersede: {
    from: ['held', 'waiting', 'due', 'claimed'],
    to: ['done'],
    when: 'a newer roster has overtaken it, or another run has given the same',
  },
  cancel: { from: ['waiting', 'due', 'claimed'], to: ['done'], when: 'its person is erased' },
  retry: { from: ['done'], to: ['due'], when: 'a person retries the failures of a run' },
} as const satisfies Record<string, DeliveryMove>;

/** What the row of a delivery says in a state: of one in flight, what it said before. */
export function writtenAs(state: DeliveryState): readonly WrittenState[] {
  return state === 'claimed' || state === 'called' ? ['due', 'waiting'] : [state];
}
