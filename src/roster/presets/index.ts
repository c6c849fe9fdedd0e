// Every preset by the name under which a config asks for it.
import type { Preset } from '../../../config/preset-schema.ts';
import type { MappingRules } from '../../core/mapping/mapping-rules.ts';
import { defined } from '../../core/defined.ts';
import { dataOf } from '../../data/data.ts';

export const presets = dataOf<Preset>('presets');

/** How people become members who are pushed to our own SCIM service: who is not active has left. */
export function pushedRules(): MappingRules {
  const { members, groups, except } = presets()['scim']?.rules ?? {};
  return defined({ members, groups, leavers: except });
}
