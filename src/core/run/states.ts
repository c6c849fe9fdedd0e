// The states of a run and of a delivery, and the moves between them, as data.

/** Where a run is. docs/development/architecture.md says what each state means. */
export const runStates = [
  'planning',
  'held',
  'delivering',
  'paused',
  'halted',
  'finished',
  'finished-with-failures',
  'cancelled',
  'failed',
] as const;
export type RunStatus = (typeof runStates)[number];

/** States in which a run has deliveries that may still be sent. */
export const unfinished = ['delivering', 'paused', 'halted'] as const satisfies RunStatus[];

export interface Move {
  /** None for a run that is new. */
  from: readonly RunStatus[];
  to: RunStatus;
  when: string;
}

/** Only `src/ledger/moves` makes them; the database refuses a change of state that is none of them. */
export const runMoves = {
  begin: { from: [], to: 'planning', when: 'somebody asks for it, a time is due, or events came' },
  failAtOnce: { from: [], to: 'failed', when: 'its roster cannot be opened, and nothing else is left of it' },
  release: { from: ['planning'], to: 'delivering', when: 'its deliveries become due, or those that no guard stops' },
  hold: { from: ['planning'], to: 'held', when: 'guards stop all of its plan' },
  baseline: { from: ['planning'], to: 'finished', when: 'its people are recorded as given already, elsewhere' },
  endLook: { from: ['planning'], to: 'finished', when: 'somebody has brought its roster, which would send nothing' },
  fail: { from: ['planning'], to: 'failed', when: 'its roster cannot be read, or its process has died' },
  approve: { from: ['held'], to: 'delivering', when: 'a person approves what is held, or a part of it' },
  holdRest: { from: ['delivering'], to: 'held', when: 'only what guards stop is left, or its deadline has passed' },
  finish: { from: ['delivering'], to: 'finished', when: 'everything is delivered' },
  finishWithFailures: {
    from: ['delivering'],
    to: 'finished-with-failures',
    when: 'nothing is left to send, and some deliveries are partial, failed or unknown',
  },
  runOutOfTime: {
    from: ['delivering'],
    to: 'finished-with-failures',
    when: 'its deadline has passed, and guards stop nothing of it; what is left is not sent',
  },
  pause: {
    from: ['delivering'],
    to: 'paused',
    when: 'a person asks for it, or there is an interruption, a full disk, too many failures, or an answer not seen before',
  },
  halt: { from: ['delivering'], to: 'halted', when: 'the service refuses the token, or is not at that address' },
  resume: { from: unfinished, to: 'delivering', when: 'a person continues it, or one whose process has died' },
  retry: { from: ['finished-with-failures'], to: 'delivering', when: 'a person tries its failures again' },
  cancel: { from: ['held', ...unfinished], to: 'cancelled', when: 'a person ends it' },
  supersede: { from: ['held', 'paused', 'halted'], to: 'cancelled', when: 'a newer run of its source replaces it' },
  expire: { from: ['held'], to: 'cancelled', when: 'nobody has approved it in time' },
  writeOff: {
    from: ['planning', 'held', ...unfinished],
    to: 'cancelled',
    when: 'the ledger is rebuilt, and what the run has sent since is not known',
  },
} as const satisfies Record<string, Move>;

export type RunMove = keyof typeof runMoves;

export function mayMove(move: RunMove, status: RunStatus): boolean {
  const { from }: Move = runMoves[move];
  return from.includes(status);
}

export function hasEnded(status: RunStatus): boolean {
  return !['planning', 'held', ...unfinished].includes(status);
}

/** A `claimed` or `called` one is in flight: a row of `in_hand`; its own row says what it said before. */
export type DeliveryState = 'held' | 'due' | 'claimed' | 'called' | 'done';

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
  plan: { from: [], to: ['held', 'due'], when: 'its run is released, or held' },
  approve: { from: ['held'], to: ['due'], when: 'a person approves what guards held' },
  claim: {
    from: ['due'],
    to: ['claimed'],
    when: 'a worker has its job, and takes the lane of its person; of a canary release, when its stage is open',
  },
  begin: { from: ['claimed'], to: ['called'], when: 'its request is about to be written' },
  handBack: {
    from: ['claimed', 'called'],
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
    from: ['held', 'due', 'claimed'],
    to: ['done'],
    when: 'a newer roster has overtaken it, or another run has given the same',
  },
  cancel: { from: ['due', 'claimed'], to: ['done'], when: 'its person is erased' },
  retry: { from: ['done'], to: ['due'], when: 'a person retries the failures of a run' },
} as const satisfies Record<string, DeliveryMove>;

/** What the row of a delivery says in a state: of one in flight, what it said before. */
export function writtenAs(state: DeliveryState): WrittenState {
  return state === 'claimed' || state === 'called' ? 'due' : state;
}
