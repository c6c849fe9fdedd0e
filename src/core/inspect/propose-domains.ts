// Proposes the domains of addresses that may be sent.
import type { ColumnSurvey } from '../columns/column-survey.ts';
import type { FoundFields } from '../mapping/find-fields.ts';
import { listOf } from '../words/words.ts';
import { isOddDomain } from '../mapping/odd-values.ts';
import type { Proposed } from './proposed.ts';

const freeMail = listOf('free-mail');

export function proposeDomains(found: FoundFields, surveys: readonly ColumnSurvey[]): Proposed<string>[] {
  const survey = surveys.find(({ index }) => index === found.email?.columns[0]?.index);
  if (!survey) return [];
  const domains = [...survey.domains].toSorted((a, b) => b[1] - a[1]).slice(0, 20);
  const doubtOf = (domain: string): string => {
    if (freeMail().has(/^([^.]+)\.[a-z.]+$/.exec(domain)?.[1] ?? '')) return ', but anybody can have such an address';
    return isOddDomain(domain) ? ', but it looks mistyped or internal' : '';
  };
  // Where most addresses are private, the few others say nothing about the employer.
  const own = domains.reduce((sum, [domain, people]) => sum + (doubtOf(domain) === '' ? people : 0), 0);
  return domains.map(([domain, people]) => {
    const doubt = doubtOf(domain);
    const isOff = doubt !== '' || own * 2 < survey.addresses || people * 100 < survey.addresses;
    return { rule: domain, note: `${people}${doubt}`, ...(isOff && { isOff }) };
  });
}
