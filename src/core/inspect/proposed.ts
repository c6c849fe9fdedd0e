// A part of the rules that is proposed, and why.

export interface Proposed<Rule> {
  rule: Rule;
  /** For the person who reads it: why, and what to check. */
  note?: string;
  /** A suggestion that is not in force. */
  isOff?: boolean;
}
