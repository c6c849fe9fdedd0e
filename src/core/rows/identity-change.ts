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
    const { employeeId, email, oldEmail } = change;
    const command = resolveCommand(oldEmail, email, 'renamed-there');
    return say('movedPerson', 1, { employeeId, oldEmail, command });
  }
  const { employeeId, oldEmployeeId, email } = change;
  return say('recycledPerson', 1, { employeeId, oldEmployeeId, command: resolveCommand(email, email, 'new-account') });
}

/** The former address in what `sayIdentityChange` said about a move; empty in another text. An address has no space. */
export function formerAddress(said: string): string {
  return /^employee .* was (\S+) until now: waits for /s.exec(said)?.[1] ?? '';
}

function resolveCommand(oldEmail: string, email: string, decision: IdentityDecision): string {
  return `roster-sync resolve ${inShell(oldEmail)} ${inShell(email)} --${decision}`;
}

/** A word as a shell takes it: quoted unless it is plain. */
function inShell(word: string): string {
  return /^[\p{L}\p{N}\p{M}@.+_-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
