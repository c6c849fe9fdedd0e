// Explains a changed address or employee id, and the decisions about it.
import { say } from '../words/say.ts';

/** A person of a roster whose identity is not what was remembered about them. */
export type IdentityChange =
  /** The same employee has another address. */
  | { kind: 'moved'; employeeId: string; email: string; oldEmail: string }
  /** The same address belongs to another employee. */
  | { kind: 'recycled'; employeeId: string; oldEmployeeId: string; email: string };

/** What a person decides of an identity change. */
export type IdentityDecision = 'renamed-there' | 'new-account';

export function sayIdentityChange(change: IdentityChange): string {
  if (change.kind === 'moved') {
    return say('movedPerson', 1, { employeeId: change.employeeId, oldEmail: change.oldEmail });
  }
  return say('recycledPerson', 1, { employeeId: change.employeeId, oldEmployeeId: change.oldEmployeeId });
}

/** The former address in what `sayIdentityChange` said about a move; empty in another text. An address has no space. */
export function formerAddress(said: string): string {
  return /^employee .* was (\S+) until now: waits /s.exec(said)?.[1] ?? '';
}
