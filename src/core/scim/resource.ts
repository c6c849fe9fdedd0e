// Takes over what an identity provider sends: known attributes, under their own names, in their own types.
import { isRecord } from '../rows/path.ts';
import {
  type Attribute,
  attributeOf,
  isSameName,
  type Kind,
  schemasOf,
  invalidValue,
  most,
  refuseMore,
} from './attributes.ts';

/** A resource as it is kept: attributes by name, those of an extension in an object under its schema's name. */
export type Resource = Record<string, unknown>;

/** One value with parts, such as an e-mail address with its type. */
export type Value = Record<string, unknown>;

/**
 * What is kept of a resource that was sent whole. Names count whatever their case; what no schema has is dropped, and so is
 * what has no value.
 * @throws ScimError for a value of the wrong type
 */
export function takeResource(kind: Kind, sent: Record<string, unknown>): Resource {
  const resource: Resource = {};
  const [own, ...extensions] = schemasOf[kind];
  for (const [name, value] of entriesOf(sent)) {
    const extension = extensions.find(({ id }) => isSameName(id, name));
    if (extension && isRecord(value)) setAll(extensionOf(resource, extension.id), value, extension.attributes);
    const attribute = own && attributeOf(name, own.attributes);
    if (attribute) setAttribute(resource, attribute, value);
    // Older Entra jobs and OneLogin send the manager beside the user's own attributes.
    else
      for (const { id, attributes } of extensions) {
        const other = attributeOf(name, attributes);
        if (other) setAttribute(extensionOf(resource, id), other, value);
      }
  }
  return withoutEmpty(resource);
}

/** Each name is looked for in the schemas. */
export function entriesOf(sent: Record<string, unknown>): [string, unknown][] {
  const entries = Object.entries(sent);
  refuseMore(entries.length, most.names, 'An object', 'names');
  return entries;
}

function setAll(target: Resource, values: Record<string, unknown>, attributes: readonly Attribute[]): void {
  for (const [name, value] of entriesOf(values)) {
    const attribute = attributeOf(name, attributes);
    if (attribute) setAttribute(target, attribute, value);
  }
}

export function extensionOf(resource: Resource, id: string): Resource {
  const there = resource[id];
  if (isRecord(there)) return there;
  const made: Resource = {};
  resource[id] = made;
  return made;
}

/** Sets an attribute to a value, or removes it where there is none. Throws a ScimError for a value of the wrong type. */
export function setAttribute(target: Resource, attribute: Attribute, value: unknown): void {
  const taken = takeValue(attribute, value);
  if (taken === undefined) delete target[attribute.name];
  else target[attribute.name] = taken;
}

/** Undefined for none: null, an empty list, a manager without an id. Throws a ScimError for a wrong type. */
export function takeValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.multi) {
    const sent: unknown[] = Array.isArray(value) ? value : [value];
    refuseMore(sent.length, most.values, attribute.name, 'values');
    const taken = sent.flatMap((one) => {
      const parts = takeParts(attribute, one);
      return parts ? [parts] : [];
    });
    return taken.length > 0 ? withOnePrimary(attribute, taken) : undefined;
  }
  if (attribute.type === 'complex') {
    // A manager may be a list of one.
    return takeParts(attribute, Array.isArray(value) ? value[0] : value);
  }
  return attribute.type === 'boolean' ? takeFlag(attribute, value) : takeText(attribute, value);
}

/** The parts of a complex value. A text alone is its `value`. */
function takeParts(attribute: Attribute, value: unknown): Value | undefined {
  const { parts = [] } = attribute;
  if (value === null || value === undefined || value === '') return undefined;
  if (typeof value === 'string' || typeof value === 'number') {
    if (!attributeOf('value', parts))
      throw invalidValue(`${attribute.name} is an object, such as {"${parts[0]?.name}": "…"}.`);
    return { value: String(value) };
  }
  if (!isRecord(value)) throw invalidValue(`${attribute.name} has a value that is neither text nor an object.`);
  const taken: Value = {};
  for (const [name, part] of entriesOf(value)) {
    // OneLogin and the older collection of Microsoft name a manager's id like this.
    const known = attributeOf(isSameName(name, 'managerId') ? 'value' : name, parts);
    const partValue = known && takeValue(known, part);
    if (known && partValue !== undefined) taken[known.name] = partValue;
  }
  const isNothing = taken['value'] === '' || Object.keys(taken).length === 0;
  return isNothing ? undefined : taken;
}

function takeFlag({ name }: Attribute, value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  // Entra sends "True" and "False".
  const said = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (said === 'true' || said === 'false') return said === 'true';
  if (value === '') return undefined;
  throw invalidValue(`${name} is true or false.`);
}

function takeText({ name }: Attribute, value: unknown): string {
  if (typeof value === 'string') {
    refuseMore(value.length, most.charactersOfText, name, 'characters');
    return value;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalidValue(`${name} is text.`);
}

/** Of several values only one is the primary one: the last that says so. Throws a ScimError for too many. */
export function withOnePrimary({ name }: Attribute, values: readonly Value[]): Value[] {
  refuseMore(values.length, most.values, name, 'values');
  const last = values.findLastIndex(({ primary }) => primary === true);
  return values.map((value, at) => (value['primary'] === true && at !== last ? { ...value, primary: false } : value));
}

/** The same without objects and lists that became empty. */
export function withoutEmpty(resource: Resource): Resource {
  return Object.fromEntries(
    Object.entries(resource).filter(([, value]) => !(isRecord(value) && Object.keys(value).length === 0)),
  );
}

/** The name by which there is only one of a kind: the user's sign-in name or the group's name, whatever its case. */
export function nameOf(kind: Kind, resource: Resource): string {
  const attribute = kind === 'User' ? 'userName' : 'displayName';
  const name = resource[attribute];
  if (typeof name !== 'string' || name.trim() === '') {
    throw invalidValue(`${attribute} is missing: every ${kind === 'User' ? 'user' : 'group'} needs one.`);
  }
  refuseMore(name.length, most.charactersOfName, attribute, 'characters');
  return name.trim().toLowerCase();
}
