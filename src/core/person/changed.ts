// Describes what changed about a person since they were last delivered.
import type { Member } from './member.ts';

/** What a person was given, and what they would be given now. */
export interface ChangedMember {
  before: Member & { forceSync: boolean };
  now: Member & { forceSync: boolean };
}

/** `name was Ann Ek`, `+ Sales`, `- Brand`; without `forceSync` nobody is taken out: `keeps Brand at the service`. */
export function whatChanged({ before, now }: ChangedMember, seeKept?: string): string[] {
  const name = (member: Member): string => `${member.firstname} ${member.lastname}`;
  const added = now.groups.filter((group) => !before.groups.includes(group));
  const removed = before.groups.filter((group) => !now.groups.includes(group));
  return [
    ...(name(before) === name(now) ? [] : [`name was ${name(before)}`]),
    ...(before.email === now.email ? [] : [`address was ${before.email}`]),
    ...(before.telephone === now.telephone ? [] : [`telephone was ${before.telephone ?? 'not given'}`]),
    ...added.map((group) => `+ ${group}`),
    ...groupsLost(removed, now, seeKept),
    ...(before.forceSync === now.forceSync ? [] : [`forceSync ${now.forceSync ? 'on' : 'off'}`]),
  ];
}

/** What happens to groups that are not given any more: they are taken away with `forceSync`, and kept without it. */
export function groupsLost(lost: readonly string[], { forceSync }: { forceSync: boolean }, seeKept?: string): string[] {
  if (forceSync) return lost.map((group) => `- ${group}`);
  return lost.length === 0 ? [] : [keepsAtService(lost, seeKept)];
}

/** That a person keeps groups which no roster gives them any more: `keeps IT at the service`. `seeKept`: where they are listed. */
export function keepsAtService(groups: readonly string[], seeKept = ''): string {
  return `keeps ${groups.join(', ')} at the service${seeKept}`;
}
