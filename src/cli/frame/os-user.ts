// Names the user of this machine, for approvals and the audit: `anna@hr-laptop`.
import { hostname, userInfo } from 'node:os';

export function osUser(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
