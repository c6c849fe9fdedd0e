import { foldText } from './mapping/wildcard.ts';

/** What a word of a status column says of a person. Leave is not termination. */
export type StatusKind = 'active' | 'leave' | 'ended' | 'future';

/** Words of HR systems' status columns, without case and signs (hr systems' exports and APIs; see docs/sources.md). */
const words: Record<StatusKind, readonly string[]> = {
  active:
    'active,a,current,enabled,employed,working,full time,part time,contractor,hired,probation,aktiv,actif,activo,t'.split(
      ',',
    ),
  leave:
    'leave,on leave,l,leave of absence,long term leave,parental leave,sick leave,loa,paid leave,unpaid leave,absent,elternzeit,mutterschutz'.split(
      ',',
    ),
  ended: (
    'inactive,terminated,former,former employee,resigned,retired,deceased,dismissed,left,deleted,disabled,suspended,' +
    'archived,tobedeleted,voluntarily terminated,terminated for cause,offboarded,ended,alumni,inaktiv,inactif,ausgeschieden,gekündigt,f'
  ).split(','),
  future: 'prehire,pre hire,onboarding,pending,future hire,future,new hire,offer accepted,not started'.split(','),
};

const kinds = new Map(
  Object.entries(words).flatMap(([kind, list]) => list.map((word) => [word, kind as StatusKind] as const)),
);

/** What a status says; undefined for a word that is not known. */
export function statusKind(text: string): StatusKind | undefined {
  return kinds.get(foldText(text.replace(/[^\p{L}\p{N}]+/gu, ' ')));
}
