// Proposes the domains of addresses that may be sent.
import type { ColumnSurvey } from '../columns/column-survey.ts';
import type { FoundFields } from '../mapping/find-fields.ts';
import { isOddDomain } from '../mapping/odd-values.ts';
import type { Proposed } from './proposed.ts';

/** Addresses there belong to people, not to an employer. */
const freeMail =
  /^(?:gmail|googlemail|hotmail|outlook|live|msn|yahoo|ymail|icloud|me|mac|aol|gmx|web|proton|protonmail|mail|qq|163|126|yandex|libero|orange|t-online)\.[a-z.]+$/;
export function proposeDomains(found: FoundFields, surveys: readonly ColumnSurvey[]): Proposed<string>[] {
  const survey = surveys.find(({ index }) => index === found.email?.columns[0]?.index);
  if (!survey) return [];
  const domains = [...survey.domains].toSorted((a, b) => b[1] - a[1]).slice(0, 20);
  const doubtOf = (domain: string): string => {
    if (freeMail.test(domain)) return ', but anybody can have such an address';
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
