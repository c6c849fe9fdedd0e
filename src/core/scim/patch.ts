// Applies a PATCH to a resource (RFC 7644, section 3.5.2), as Entra, Okta and others really send it.
import { defined } from '../defined.ts';
import { isRecord } from '../rows/path.ts';
import {
  type Attribute,
  attributeOf,
  isSameName,
  type Kind,
  enterpriseUrn,
  schemasOf,
  invalidFilter,
  invalidPath,
  invalidSyntax,
  invalidValue,
  ScimError,
  most,
  refuseMore,
} from './attributes.ts';
import { withoutBrackets } from './answer.ts';
import { type Filter, parseFilter, parsePath, resolvePath } from './filter.ts';
import { matchesValue } from './match.ts';
import {
  entriesOf,
  extensionOf,
  type Resource,
  setAttribute,
  takeValue,
  type Value,
  withOnePrimary,
  withoutEmpty,
} from './resource.ts';

/** What happens to the members of a group, in this order. */
export interface MemberChange {
  /** `set` replaces them all; `clear` removes them all. */
  what: 'add' | 'remove' | 'set' | 'clear';
  ids: string[];
}

export interface Patched {
  resource: Resource;
  members: MemberChange[];
}

interface Operation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value: unknown;
}

/** All or none. Throws a ScimError for one that is not understood. */
export function applyPatch(kind: Kind, resource: Resource, body: unknown): Patched {
  const patched: Patched = { resource: structuredClone(resource), members: [] };
  for (const operation of operationsOf(kind, body)) applyAt(kind, patched, operation);
  return { ...patched, resource: withoutEmpty(patched.resource) };
}

function operationsOf(kind: Kind, body: unknown): Operation[] {
  const name = isRecord(body) && Object.keys(body).find((key) => isSameName(key, 'operations'));
  const list: unknown = isRecord(body) && typeof name === 'string' ? body[name] : undefined;
  if (!Array.isArray(list)) throw invalidSyntax('A PATCH has a list "Operations".');
  refuseMore(list.length, most.operations[kind], 'The PATCH', 'operations');
  const operations = list.flatMap((each: unknown) => {
    if (!isRecord(each)) throw invalidSyntax('Each of the Operations is an object.');
    const op = String(each['op']).toLowerCase();
    if (op !== 'add' && op !== 'replace' && op !== 'remove') throw invalidSyntax('op is add, replace or remove.');
    const { path, value } = each;
    if (path !== undefined && path !== null && typeof path !== 'string') throw invalidPath('path is text.');
    if (path) return [{ op, path, value } as const];
    if (op === 'remove') throw new ScimError(400, 'What to remove is not said: path is missing.', 'noTarget');
    if (!isRecord(value)) throw invalidValue('Without a path, value is an object of attributes.');
    // Each name is a path: `active`, `name.givenName`, `urn:…:User:department`. Okta sends the id along.
    return entriesOf(value).flatMap(([name, part]) =>
      isKnown(kind, name) ? [{ op, path: name, value: part } as const] : [],
    );
  });
  refuseMore(operations.length, most.operations[kind], 'The PATCH', 'operations');
  const filters = kind === 'User' ? operations.filter(({ path }) => path.includes('[')) : [];
  const characters = filters.reduce((sum, { path }) => sum + path.length, 0);
  refuseMore(characters, most.charactersOfFilters, 'The PATCH', 'characters of filters');
  return operations;
}

/** Whether a name in an object without a path is one of ours: others are dropped, as in a resource that is sent whole. */
function isKnown(kind: Kind, name: string): boolean {
  return (
    isExtension(kind, name) ||
    isMembers(kind, name) ||
    resolvePath(kind, parsePath(withoutBrackets(name))) !== undefined
  );
}

const isMembers = (kind: Kind, path: string): boolean =>
  kind === 'Group' && isSameName(parsePath(withoutBrackets(path)).name ?? '', 'members');
const isExtension = (kind: Kind, path: string): boolean =>
  schemasOf[kind].slice(1).some(({ id }) => isSameName(id, path));

const isOfOthers = (kind: Kind, path: string): boolean =>
  /^urn:/i.test(path) && !schemasOf[kind].some(({ id }) => path.toLowerCase().startsWith(id.toLowerCase()));

function applyAt(kind: Kind, patched: Patched, { op, path, value }: Operation): void {
  const { resource } = patched;
  if (isMembers(kind, path)) return addChange(patched.members, changeOfMembers(op, path, value));
  if (isExtension(kind, path)) return applyExtension(kind, patched, { op, path, value });
  const { base, filter, rest } = splitPath(path);
  const found = resolvePath(kind, parsePath(rest === '' ? base : `${base}.${rest}`));
  if (!found) {
    // Read-only, or of an extension that is not known: taken no notice of, as in a resource that is sent whole.
    if (/^(id|meta|schemas|groups|password)\b/i.test(path) || isOfOthers(kind, path)) return;
    throw invalidPath(`There is no attribute ${path.slice(0, 100)}.`);
  }
  const { attribute, part, extension } = found;
  const holder = extension === undefined ? resource : extensionOf(resource, extension);
  if (attribute.multi) patchMany(holder, attribute, { op, value, ...defined({ filter, part }) });
  else if (part) patchPart(holder, { attribute, part, op, value });
  else if (op === 'remove') delete holder[attribute.name];
  else if (isRecord(value) && isRecord(holder[attribute.name]) && attribute.name !== 'manager') {
    for (const [name, one] of Object.entries(value)) {
      const its = attributeOf(name, attribute.parts ?? []);
      if (its) patchPart(holder, { attribute, part: its, op, value: one });
    }
  } else setAttribute(holder, attribute, value);
}

/** `emails[type eq "work"].value` in its three pieces. */
function splitPath(path: string): { base: string; filter?: Filter; rest: string } {
  const open = path.indexOf('[');
  if (open < 0) return { base: path, rest: '' };
  const close = path.lastIndexOf(']');
  if (close < open) throw invalidPath(`In ${path.slice(0, 100)} a bracket is missing.`);
  const filter = parseFilter(path.slice(open + 1, close));
  return { base: path.slice(0, open), filter, rest: path.slice(close + 1).replace(/^\./, '') };
}

function applyExtension(kind: Kind, patched: Patched, { op, path, value }: Operation): void {
  const id = schemasOf[kind].find((schema) => isSameName(schema.id, path))?.id ?? enterpriseUrn;
  if (op === 'remove') {
    delete patched.resource[id];
    return;
  }
  if (!isRecord(value)) throw invalidValue(`${id} is an object of attributes.`);
  for (const [name, part] of entriesOf(value)) {
    if (isKnown(kind, `${id}:${name}`)) applyAt(kind, patched, { op, path: `${id}:${name}`, value: part });
  }
}

function patchPart(
  holder: Resource,
  { attribute, part, op, value }: { attribute: Attribute; part: Attribute; op: Operation['op']; value: unknown },
): void {
  const there = holder[attribute.name];
  const parts: Value = isRecord(there) ? { ...there } : {};
  const taken = op === 'remove' ? undefined : takeValue(part, value);
  if (taken === undefined) delete parts[part.name];
  else parts[part.name] = taken;
  // A manager without an id is none.
  if (Object.keys(parts).length === 0 || parts['value'] === '') delete holder[attribute.name];
  else holder[attribute.name] = parts;
}

function patchMany(
  holder: Resource,
  attribute: Attribute,
  { op, value, filter, part }: { op: Operation['op']; value: unknown; filter?: Filter; part?: Attribute },
): void {
  const there = (Array.isArray(holder[attribute.name]) ? holder[attribute.name] : []) as Value[];
  const set = (all: readonly Value[]): void => {
    const values = all.filter((one) => Object.keys(one).length > 0);
    // Each further operation compares all of them.
    refuseMore(JSON.stringify(values).length, most.charactersOfResource, attribute.name, 'characters');
    if (values.length === 0) delete holder[attribute.name];
    else holder[attribute.name] = withOnePrimary(attribute, values);
  };
  const isMeant = (one: Value): boolean => !filter || matchesValue(attribute, filter, one);
  if (op === 'remove') {
    // A list of nothing names nobody: all are meant only where none is said.
    const named = filter || part ? undefined : (listed(attribute, value) ?? (Array.isArray(value) ? [] : undefined));
    const gone = named && new Set(named.map(({ value: its }) => fold(its)));
    if (gone) return set(there.filter((one) => !gone.has(fold(one['value']))));
    if (!part) return set(there.filter((one) => !isMeant(one)));
    return set(there.map((one) => (isMeant(one) ? without(one, part.name) : one)));
  }
  if (!filter && !part) {
    const taken = listed(attribute, value) ?? [];
    if (op === 'replace') return set(taken);
    const known = new Set(there.map(keyOf));
    return set([...there, ...taken.filter((one) => !known.has(keyOf(one)))]);
  }
  const change = part ? { [part.name]: takeValue(part, value) } : (listed(attribute, value)?.[0] ?? {});
  const isThere = there.some(isMeant);
  // What is replaced need not be there: Entra expects `emails[type eq "work"].value` to be made.
  const base = isThere ? there : [...there, filter ? wantedBy(attribute, filter) : {}];
  const meant = isThere ? isMeant : (_: Value, at: number) => at === there.length;
  set(base.map((one, at) => (meant(one, at) ? filled({ ...one, ...change }) : one)));
}

const listed = (attribute: Attribute, value: unknown): Value[] | undefined =>
  takeValue(attribute, value) as Value[] | undefined;
const fold = (text: unknown): string => JSON.stringify(text ?? '').toLowerCase();
/** Values of one key are the same: the same value of the same type. */
const keyOf = (one: Value): string => `${fold(one['value'] ?? one)}\n${fold(one['type'])}`;
const without = (value: Value, name: string): Value =>
  Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
const filled = (value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined && one !== ''));

/** A value for which a filter holds: what it asks to be equal. Throws a ScimError for a part that the attribute does not have. */
function wantedBy(attribute: Attribute, filter: Filter): Value {
  if (filter.is === 'and') return Object.assign({}, ...filter.all.map((one) => wantedBy(attribute, one))) as Value;
  if (filter.is !== 'compare' || filter.operator !== 'eq') return {};
  const part = attributeOf(filter.path.name ?? '', attribute.parts ?? []);
  if (!part) throw invalidFilter(`${attribute.name} has no ${filter.path.name ?? 'such part'}`);
  return { [part.name]: takeValue(part, filter.value) };
}

/** The ids of members as they are sent: objects with a value, or texts. */
export function memberIds(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const id = isRecord(one) ? Object.entries(one).find(([name]) => isSameName(name, 'value'))?.[1] : one;
    if (typeof id !== 'string' || id === '')
      throw invalidValue('A member is an object with the id of a user as its value.');
    refuseMore(id.length, most.charactersOfName, 'The id of a member', 'characters');
    return id;
  });
}

/** Adds a change of members: one like the last becomes part of it, since each is a statement of its own. */
function addChange(changes: MemberChange[], change: MemberChange): void {
  const last = changes.at(-1);
  if (last?.what !== change.what || change.what === 'set') changes.push(change);
  else for (const id of change.ids) last.ids.push(id);
}

function changeOfMembers(op: Operation['op'], path: string, value: unknown): MemberChange {
  const { filter } = splitPath(path);
  if (filter) {
    const { is } = filter;
    const id =
      is === 'compare' && filter.operator === 'eq' && isSameName(filter.path.name ?? '', 'value')
        ? filter.value
        : undefined;
    if (op !== 'remove' || typeof id !== 'string')
      throw invalidPath('Members are named like members[value eq "id"], and only to remove them.');
    return { what: 'remove', ids: [id] };
  }
  if (op === 'replace' && value === undefined) throw invalidValue('Whom to replace members with is not said.');
  const ids = memberIds(value);
  if (op === 'remove') return { what: Array.isArray(value) || ids.length > 0 ? 'remove' : 'clear', ids };
  return { what: op === 'replace' ? 'set' : 'add', ids };
}
