// What every part of SCIM uses: the attributes of users and groups, and errors as it answers them.
import { dataOf } from '../../data/data.ts';
import type { ScimAttribute, ScimSchema } from '../../data/schemas.ts';

export type Kind = 'User' | 'Group';

/** An attribute: its name as the RFC writes it, and what its value is. */
export interface Attribute extends Omit<ScimAttribute, 'type' | 'parts'> {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  parts?: readonly Attribute[];
}

function attributesIn(written: ScimSchema['attributes'] = {}): Attribute[] {
  return Object.entries(written).map(([name, said]) => {
    if (typeof said === 'string') return { name, type: 'string', description: said };
    const { parts, type = parts ? 'complex' : 'string', ...others } = said;
    return { name, type, ...others, ...(parts && { parts: attributesIn(parts) }) };
  });
}

const files = dataOf<ScimSchema>('scim')();
const schema = (file: string) => {
  const { id = '', name = '', attributes } = files[file] ?? {};
  return { id, name, attributes: attributesIn(attributes) };
};

/** The schemas of a kind: its own first, then its extensions. Attributes of an extension are in an object of its name. */
export const schemasOf: Readonly<Record<Kind, readonly ReturnType<typeof schema>[]>> = {
  User: [schema('user'), schema('enterprise-user')],
  Group: [schema('group')],
};

export const enterpriseUrn = schemasOf.User[1]?.id ?? '';

/** What is answered but never taken over with a resource, though filters may ask for it. */
export const readOnly: readonly Attribute[] = schema('not-kept').attributes;

const notKept = (wanted: string): Attribute => readOnly.find(({ name }) => name === wanted)!;

/** What ties users to groups: the groups of a user, the members of a group. It is not kept with either. */
export const related: Readonly<Record<Kind, Attribute>> = { User: notKept('groups'), Group: notKept('members') };

/** Whether two names of attributes are the same: letters count whatever their case (RFC 7643, section 2.1). */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const attributeOf = (name: string, among: readonly Attribute[]): Attribute | undefined =>
  among.find((attribute) => isSameName(attribute.name, name));

/** What kind of mistake a request made (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'invalidVers'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, message: string, scimType?: ScimType) {
    super(message);
    this.status = status;
    this.scimType = scimType;
  }
}

const badRequest =
  (scimType: ScimType) =>
  (message: string): ScimError =>
    new ScimError(400, message, scimType);
export const invalidValue = badRequest('invalidValue');
export const invalidPath = badRequest('invalidPath');
export const invalidSyntax = badRequest('invalidSyntax');
export const invalidFilter = (what: string): ScimError =>
  badRequest('invalidFilter')(`The filter cannot be read: ${what}. Write it like userName eq "ann@example.com".`);

/** What is larger blocks the process, or fits into no index or row of a roster. */
export const most = {
  /** Entra sends some hundred; each of a user is compared with all values of its attribute. */
  operations: { User: 500, Group: 5000 },
  /** Of all paths of a PATCH of a user together: each comparison reads all values of an attribute. */
  charactersOfFilters: 10_000,
  /** In one request. */
  members: 100_000,
  values: 200,
  /** In one object. */
  names: 1000,
  /** Indexes of PostgreSQL take 2,700 bytes. */
  charactersOfName: 500,
  charactersOfText: 32_768,
  /** A row of a roster has at most a million, groups included. */
  charactersOfResource: 262_144,
} as const;

/** Throws a ScimError 413 that names the limit, where there is more: `emails has more than 500 values.` */
export function refuseMore(count: number, limit: number, what: string, of: string): void {
  if (count > limit) throw new ScimError(413, `${what} has more than ${limit} ${of}.`, 'tooMany');
}
