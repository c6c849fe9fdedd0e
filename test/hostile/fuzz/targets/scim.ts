import { project, readProjection, writeResource } from '../../../../src/core/scim/answer.ts';
import { ScimError, type Kind } from '../../../../src/core/scim/attributes.ts';
import { idAsked, parseFilter, textAsked } from '../../../../src/core/scim/filter.ts';
import { matches } from '../../../../src/core/scim/match.ts';
import { applyPatch, memberIds } from '../../../../src/core/scim/patch.ts';
import { nameOf, type Resource, takeResource } from '../../../../src/core/scim/resource.ts';
import { isRecord } from '../../../../src/core/rows/path.ts';
import { type FuzzTarget, never } from '../target.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const ann = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
  externalId: '7',
  userName: 'Ann@example.com',
  name: { givenName: 'Ann', familyName: 'Ash' },
  active: 'True',
  emails: [
    { value: 'ann@example.com', type: 'work', primary: true },
    { value: 'a"sh\\@example.com', type: 'home' },
  ],
  title: '2026-01-02T03:04:05Z',
  [enterprise]: { department: 'Sales', manager: { value: 'm1', displayName: 'Bo' } },
};
const stored = { id: 'u1', version: 1, createdAt: new Date(0), modifiedAt: new Date(0) };
const users = [ann, { userName: 'k', displayName: '', active: false }].map((sent) => takeResource('User', sent));
const groups = [{ displayName: 'Sales', externalId: 'g7' }].map((sent) => takeResource('Group', sent));
const base = 'https://sync.example/scim/v2/staff';
const kinds = [
  ['User', users],
  ['Group', groups],
] as const;

/** What the database finds of a text before a filter is matched in full (`listPushed`). */
function isFound(resource: Resource, text: string): boolean {
  const part = JSON.stringify(text).slice(1, -1);
  return !/^[ -~]*$/.test(part) || JSON.stringify(resource).toLowerCase().includes(part.toLowerCase());
}

function readFilter(bytes: Buffer): void {
  const filter = parseFilter(bytes.toString());
  const [text, id] = [textAsked(filter), idAsked(filter)];
  for (const [kind, resources] of kinds) {
    for (const resource of resources) {
      const answer = writeResource(kind, { ...stored, resource }, base, [{ value: 'g1', display: 'Sales' }]);
      const holds = ours(() => matches(kind, filter, answer));
      if (holds !== true) continue;
      never(`the database does not look for ${text ?? ''}`, text !== undefined && !isFound(resource, text));
      never(`the database looks for ${id ?? ''} only`, id !== undefined && id !== stored.id);
    }
  }
}

/** The result; undefined where it is refused. */
function ours<Result>(task: () => Result): Result | undefined {
  try {
    return task();
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

/** @throws Error where a resource is not as it would be taken over again */
function checkKept(kind: Kind, resource: Resource): void {
  const again = takeResource(kind, resource);
  const [one, other] = [resource, again].map((each) => JSON.stringify(each));
  never(`what is kept is not what it was: ${one}, then ${other}`, one !== other);
  ours(() => nameOf(kind, resource));
}

const json = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

const attributes = [
  'userName',
  'name.givenName',
  'emails',
  'emails.value',
  'active',
  'members',
  'members.value',
  'manager',
  `${enterprise}:department`,
  enterprise,
  'id',
  'meta.created',
  'externalId',
  'title',
  'groups',
  '$ref',
  'type',
  'primary',
  'value',
  '__proto__',
  'constructor',
];
const filterWords = [
  ...attributes,
  ...[
    ' eq ',
    ' ne ',
    ' co ',
    ' sw ',
    ' ew ',
    ' gt ',
    ' le ',
    ' pr',
    ' and ',
    ' or ',
    'not (',
    '(',
    ')',
    '[',
    ']',
    '].',
    '"',
    '\\"',
    '\\u00e9',
    'true',
    'null',
    '1',
    '"u1"',
    '"ann@example.com"',
    '"2026-01-02T03:04:05.000Z"',
    '"SALES"',
  ],
];
const operation = (op: string, path: string | undefined, value?: unknown) => ({
  op,
  ...(path && { path }),
  ...(value !== undefined && { value }),
});
const patch = (...Operations: object[]) => Buffer.from(JSON.stringify({ schemas: [patchSchema], Operations }));

/** What identity providers send. */
export const scim: FuzzTarget[] = [
  {
    name: 'scim-filters',
    good: [
      'userName eq "ann@example.com"',
      'emails[type eq "work" and value co "@example"].value eq "ann@example.com" or not (active eq true)',
      `(${enterprise}:department sw "S" and id eq "u1") or meta.created gt "2020-01-01T00:00:00Z"`,
      'displayName eq "Sales" and members pr',
      'title eq "2026-01-02T03:04:05Z"',
    ].map((text) => Buffer.from(text)),
    words: filterWords,
    read: readFilter,
  },
  {
    name: 'scim-patches',
    good: [
      patch(
        operation('Replace', 'active', 'False'),
        operation('add', undefined, { 'name.givenName': 'Anna', [enterprise]: { department: 'IT' } }),
      ),
      patch(
        operation('replace', 'emails[type eq "work"].value', 'a@example.com'),
        operation('remove', 'emails[type eq "home"]'),
      ),
      patch(operation('add', 'members', [{ value: 'u1' }]), operation('remove', 'members[value eq "u2"]')),
      patch(operation('Add', `${enterprise}:manager`, { value: 'm2' }), operation('remove', 'name.familyName')),
      patch(
        operation('add', 'phoneNumbers', [
          { value: '1', primary: true },
          { value: '2', primary: true },
        ]),
      ),
    ],
    words: [...filterWords, '"op":"remove"', '"path":', '"value":'],
    form: 'json',
    read: (bytes) => {
      for (const [kind, resources] of kinds) {
        for (const resource of resources) {
          const before = JSON.stringify(resource);
          const patched = ours(() => applyPatch(kind, resource, json(bytes)));
          never('a PATCH changed what it was given', before !== JSON.stringify(resource));
          if (patched) checkKept(kind, patched.resource);
        }
      }
    },
  },
  {
    name: 'scim-resources',
    good: [
      Buffer.from(JSON.stringify(ann)),
      Buffer.from(JSON.stringify({ displayName: 'Sales', members: [{ value: 'u1', display: 'Ann' }] })),
      Buffer.from('{"userName":"k","attributes":"emails[type eq \\"work\\"].value,name","excludedAttributes":"meta"}'),
    ],
    words: attributes.map((name) => `"${name}":`),
    form: 'json',
    read: (bytes) => {
      const sent = json(bytes);
      if (!isRecord(sent)) return;
      for (const kind of ['User', 'Group'] as const) {
        const resource = ours(() => takeResource(kind, sent));
        if (!resource) continue;
        checkKept(kind, resource);
        ours(() => memberIds(sent['members']));
        project(writeResource(kind, { ...stored, resource }, base, []), readProjection(sent));
      }
    },
  },
];
