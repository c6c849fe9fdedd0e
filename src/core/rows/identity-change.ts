// Explains a changed address or employee id, and the decisions about it.

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
    return (
      `employee ${employeeId} was ${oldEmail} until now: waits for \`${resolveCommand(oldEmail, email, 'renamed-there')}\` ` +
      'where the account was renamed at the service as well, or with --new-account where it was not'
    );
  }
  const { employeeId, oldEmployeeId, email } = change;
  return (
    `this address was employee ${oldEmployeeId}'s and is employee ${employeeId}'s now: waits for ` +
    `\`${resolveCommand(email, email, 'new-account')}\` where they are two people, or with --renamed-there ` +
    'where one person has a new id'
  );
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
