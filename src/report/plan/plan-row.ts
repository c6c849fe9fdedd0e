// The type of one line of a plan file: a person, what happens, and why.
/** What happens to a person of a plan, or to a row of the roster that makes none. */
export const planKinds = ['new', 'changed', 'again', 'unchanged', 'later', 'departed', 'reject'] as const;
export type PlanKind = (typeof planKinds)[number];

export interface PlanRow {
  kind: PlanKind;
  email: string;
  firstname: string;
  lastname: string;
  telephone: string;
  /** What they are given; of who left, what they keep. */
  groups: string[];
  /** Old and new: `name: Ann Ek -> Ann Lind`, `groups: + Sales, - Brand`. */
  changes: string[];
  why: string;
  /** Of who begins later: `2027-01-01`. */
  firstDay: string;
  /** The guards that hold it, by their names. */
  heldBy: string[];
  file: string;
  line: number | null;
  /** Of a reject: the cell to blame. */
  column: string;
  value: string;
}

export interface PlanSource {
  /** What there is to say about the plan itself, as `--json` prints it. */
  document: object;
  /** Its head for people: what is read, and what would happen, a sentence each. */
  title: string;
  sentences: readonly string[];
  rows: AsyncIterable<PlanRow>;
}

/** The columns of such a file, in this order. */
export const planColumns = [
  ...['kind', 'email', 'firstname', 'lastname', 'telephone', 'groups', 'changes', 'why', 'firstDay', 'heldBy'],
  ...['file', 'line', 'column', 'value'],
] as (keyof PlanRow)[];
