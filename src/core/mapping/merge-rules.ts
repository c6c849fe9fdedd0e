// Merges mapping rules, such as a source's rules over those of its preset.
import type { MappingRules } from './mapping-rules.ts';

export function mergeRules(rules: MappingRules, defaults: MappingRules): MappingRules {
  const members = { ...defaults.members, ...rules.members };
  const isNamed = rules.members?.firstname !== undefined || rules.members?.lastname !== undefined;
  if (isNamed && rules.members?.fullname === undefined) delete members.fullname;
  return { ...defaults, ...rules, ...(Object.keys(members).length > 0 && { members }) };
}
