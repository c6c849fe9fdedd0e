// Tells whether a filter of a SCIM request holds for a resource.
import { isRecord } from '../rows/path.ts';
import { type Attribute, attributeOf, invalidFilter, type Kind, readOnly } from './attributes.ts';
import { type AttributePath, type Filter, isTime, type Literal, type Operator, resolvePath } from './filter.ts';

/** As it is answered. Throws a ScimError invalidFilter where it asks for an attribute that there is not. */
export function matches(kind: Kind, filter: Filter, resource: Record<string, unknown>): boolean {
  return judge(filter, (one) => {
    const { attribute, part, extension } = requirePath(kind, one.path);
    const values = listOf(valueOf(resource, attribute, extension));
    if (one.is === 'some') {
      return values.some((value) => isRecord(value) && matchesValue(attribute, one.filter, value));
    }
    // Of an attribute with several values its `value` is meant.
    const compared = part ?? (attribute.parts && attributeOf('value', attribute.parts));
    const found = compared ? values.map((value) => (isRecord(value) ? value[compared.name] : undefined)) : values;
    return holds(one, found, (compared ?? attribute).exact === true);
  });
}

export function matchesValue(attribute: Attribute, filter: Filter, value: Record<string, unknown>): boolean {
  return judge(filter, (one) => {
    if (one.is === 'some') throw invalidFilter('there is a filter inside the brackets of another');
    const part = attributeOf(one.path.name ?? '', attribute.parts ?? []);
    if (!part) throw invalidFilter(`${attribute.name} has no ${one.path.name ?? 'such part'}`);
    return holds(one, [value[part.name]], part.exact === true);
  });
}

/** Whether a filter holds, where `test` says it of each of its parts. */
function judge(filter: Filter, test: (one: Filter & { is: 'some' | 'compare' | 'present' }) => boolean): boolean {
  switch (filter.is) {
    case 'and':
      return filter.all.every((one) => judge(one, test));
    case 'or':
      return filter.all.some((one) => judge(one, test));
    case 'not':
      return !judge(filter.filter, test);
    default:
      return test(filter);
  }
}

function requirePath(kind: Kind, path: AttributePath) {
  const found = resolvePath(kind, path, readOnly);
  if (found) return found;
  throw invalidFilter(
    `a ${kind.toLowerCase()} has no ${[path.name, path.part].filter(Boolean).join('.') || 'such attribute'}`,
  );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function valueOf(resource: Record<string, unknown>, { name }: Attribute, extension: string | undefined): unknown {
  const holder = extension === undefined ? resource : resource[extension];
  return isRecord(holder) ? holder[name] : undefined;
}

function holds(filter: Filter & { is: 'compare' | 'present' }, found: readonly unknown[], exact: boolean): boolean {
  const present = found.filter((value) => value !== undefined && value !== null && value !== '');
  if (filter.is === 'present') return present.length > 0;
  const { operator, value } = filter;
  if (value === null) return (operator === 'eq') === (present.length === 0);
  if (operator === 'ne') return !present.some((one) => compare('eq', one, value, exact));
  return present.some((one) => compare(operator, one, value, exact));
}

function compare(operator: Operator, found: unknown, value: Literal, exact: boolean): boolean {
  const fold = (one: unknown): string => (exact ? String(one) : String(one).toLowerCase());
  const [text, part] = [fold(found), fold(value)];
  const times = [found, value].map((one) => (typeof one === 'string' && isTime(one) ? Date.parse(one) : NaN));
  const [one, other] = times.some(Number.isNaN) ? [text, part] : (times as [number, number]);
  const holds: Record<Operator, () => boolean> = {
    eq: () => one === other,
    ne: () => one !== other,
    co: () => text.includes(part),
    sw: () => text.startsWith(part),
    ew: () => text.endsWith(part),
    gt: () => one > other,
    ge: () => one >= other,
    lt: () => one < other,
    le: () => one <= other,
  };
  return holds[operator]();
}
