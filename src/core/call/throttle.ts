// The type of a throttle (the service is rate-limiting us), and its longest time.

export interface Throttle {
  forMs: number;
  /** `HTTP 429 from host, asking to wait 600 s` */
  reason: string;
}

/** In ms: a day. Longer ones are mistakes, of the service or of a clock, and would overflow a timer. */
export const longestThrottle = 86_400_000;

/** The wait, ms, that an answer asks for, if it names one, and its words. */
export function throttleIn(answer: {
  kind: string;
  waitMs?: number;
  reason?: string;
}): [waitMs: number | undefined, reason: string | undefined] {
  return answer.kind === 'throttled' ? [answer.waitMs, answer.reason] : [undefined, undefined];
}
