// The states of a run, and every move from one to another.

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
  fail: { from: ['planning'], to: 'failed', when: 'its roster cannot be read, or its process has died' },
  approve: { from: ['held'], to: 'delivering', when: 'a person approves what is held, or a part of it' },
  holdRest: { from: ['delivering'], to: 'held', when: 'everything is delivered but what guards stop' },
  finish: { from: ['delivering'], to: 'finished', when: 'everything is delivered' },
  finishWithFailures: {
    from: ['delivering'],
    to: 'finished-with-failures',
    when: 'nothing is left to send, and some deliveries are partial, failed or unknown',
  },
  runOutOfTime: {
    from: ['delivering'],
    to: 'finished-with-failures',
    when: 'its deadline has passed; what is left is not sent',
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
