// Names the user of this machine, for approvals and the audit: `anna@hr-laptop`.
import { attempt } from '../../core/attempt.ts';
import { hostname, userInfo } from 'node:os';

export function osUser(): string {
  const name = attempt(() => userInfo().username) ?? `uid ${process.getuid?.() ?? 'unknown'}`;
  return `${name}@${hostname()}`;
}
