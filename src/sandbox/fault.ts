// The type of a fault: which calls it strikes, and what it does to them.

/** Bodies that take the place of the answer; the others are made from the answer itself. */
export const replacingBodies = ['html', 'text', 'empty', 'huge', 'echo'] as const;
/** The answer itself, spoilt on its way. */
export const spoilingBodies = ['half-json', 'truncated', 'stalled', 'trickle'] as const;
/** The answer with another shape; these need a successful answer. */
export const shapingBodies = [
  'not-success',
  'group-failed',
  'missing',
  'reordered',
  'no-data',
  'no-hash',
  'bare-array',
  'null',
  'string-counts',
] as const;

type FaultBody = (typeof replacingBodies)[number] | (typeof spoilingBodies)[number] | (typeof shapingBodies)[number];

/**
 * One fault: which calls it strikes and what it does to them. `faultGrammar` says what each key means. The text form
 * has the same keys: `status=429,retry-after=2,first=3`.
 */
export interface Fault {
  email?: string;
  group?: string;
  path?: string;
  after?: number;
  first?: number;
  nth?: number;
  every?: number;
  probability?: number;
  status?: number;
  'retry-after'?: number | `date+${number}`;
  latency?: number | `${number}-${number}` | 'forever';
  reset?: 'before' | 'after';
  body?: FaultBody;
  interval?: number;
  apply?: boolean;
}

/** The fault grammar, for `--help` and docs/sandbox.md. */
export const faultGrammar = `A fault is a list of key=value parts with commas between: which calls, and what happens to them.

Which calls (all must hold; without any, every call):
  email=ADDRESS     calls for this person; *@example.com for a whole domain
  group=NAME        group inserts that name this group
  path=PART         calls whose path contains PART: groups/insert, story-question-analysis
  after=N           not the first N of these calls
  first=N           only the first N of them (after those that after=N lets pass)
  nth=N             only the Nth of them
  every=N           only every Nth of them
  probability=P     each of them with the probability P, from 0 to 1 (from the sandbox's seed)

What happens:
  latency=MS        the answer comes MS milliseconds later; latency=100-300, latency=forever; adds up with other faults
  status=CODE       this HTTP status (200 to 599) and an error as the body; the insert is not made
  retry-after=N     with status: the header Retry-After, in seconds; date+N sends the HTTP-date N seconds from now
  reset=before      the connection is reset before the body is read; the insert is not made
  reset=after       the connection is reset after the body was read; the insert is made
  body=KIND         instead of the answer: html, text, empty, huge (16 MiB), echo (repeats the Authorization header)
                    the answer, spoilt: half-json (ends early), truncated (the connection ends early),
                    stalled (half of it, then nothing), trickle (byte by byte)
                    another shape: not-success, group-failed (the named or first group is not filled), missing (the
                    last item), reordered, no-data, no-hash, bare-array, null, string-counts
  interval=MS       with body=trickle: the time between two bytes, default 100
  apply=yes|no      with status, reset=after or a body instead of the answer: whether the insert is made

The first fault in the list that strikes a call answers it.
Examples: status=429,retry-after=2,first=3   status=401,after=100   status=403,email=ann@example.com
          reset=after,probability=0.1        status=500,apply=yes   body=echo,status=401`;

/** The text form of a fault, its parts in the order in which they were given. */
export function formatFault(fault: Fault): string {
  return Object.entries(fault)
    .map(([key, value]) => `${key}=${value === true ? 'yes' : value === false ? 'no' : value}`)
    .join(',');
}

/** Whether the insert is made although this fault strikes. */
export function isApplied(fault: Fault): boolean {
  return fault.apply ?? (fault.reset !== 'before' && (fault.status ?? 200) < 300);
}

/** Whether a fault changes what is answered, beyond making it late. */
export function isAnswering(fault: Fault): boolean {
  return fault.status !== undefined || fault.reset !== undefined || fault.body !== undefined;
}
