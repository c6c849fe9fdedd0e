// The attributes of SCIM users and groups that are kept, as RFC 7643 defines them.

/** The schemas' names (RFC 7643, section 8.7). */
export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const;

export type Kind = 'User' | 'Group';

/** An attribute: its name as the RFC writes it, and what its value is. */
export interface Attribute {
  name: string;
  type: 'string' | 'boolean' | 'complex' | 'reference';
  multi?: true;
  parts?: readonly Attribute[];
  description: string;
  /** Only the exact letters count: ids. */
  exact?: true;
  /** What a reference leads to: kinds of ours, `external` for any other address. */
  leadsTo?: readonly (Kind | 'external')[];
  /** It is answered, and requests do not change it. */
  fixed?: true;
}

const text = (name: string, description: string): Attribute => ({ name, type: 'string', description });
const exact = (name: string, description: string): Attribute => ({ ...text(name, description), exact: true });
const reference = (name: string, description: string, ...leadsTo: (Kind | 'external')[]): Attribute => ({
  name,
  description,
  leadsTo,
  type: 'reference',
  ...(name === '$ref' && { exact: true }),
});
const flag = (name: string, description: string): Attribute => ({ name, type: 'boolean', description });

/** The parts of every attribute with several values (RFC 7643, section 2.4). */
const valueParts = [
  text('value', 'The value.'),
  text('display', 'The value as people read it.'),
  text('type', 'What the value is for, such as work.'),
  flag('primary', 'Whether it is the preferred one.'),
  reference('$ref', 'The address of what it refers to.', 'external'),
];
const many = (name: string, description: string, parts: readonly Attribute[] = valueParts): Attribute => ({
  name,
  description,
  parts,
  type: 'complex',
  multi: true,
});

const nameParts = [
  text('formatted', 'The whole name.'),
  text('familyName', 'The last name.'),
  text('givenName', 'The first name.'),
  text('middleName', 'The middle names.'),
  text('honorificPrefix', 'What stands before the name.'),
  text('honorificSuffix', 'What stands behind the name.'),
];
const addressParts = [
  text('formatted', 'The whole address.'),
  text('streetAddress', 'Street and number.'),
  text('locality', 'The town.'),
  text('region', 'The region.'),
  text('postalCode', 'The postal code.'),
  text('country', 'The country.'),
  text('type', 'What the address is for, such as work.'),
  flag('primary', 'Whether it is the preferred one.'),
];

const externalId = exact('externalId', 'The id that the identity provider uses.');

/** A user's own attributes. A password is never kept, and the groups of a user are read from the groups. */
const user: readonly Attribute[] = [
  externalId,
  text('userName', 'The sign-in name; there are no two users of one name.'),
  { name: 'name', type: 'complex', parts: nameParts, description: 'The parts of the name.' },
  text('displayName', 'The name as it is shown.'),
  text('nickName', 'The everyday name.'),
  reference('profileUrl', 'The address of a page about the user.', 'external'),
  text('title', 'The job title.'),
  text('userType', 'The relation to the organisation, such as Employee.'),
  text('preferredLanguage', 'The preferred language.'),
  text('locale', 'The place by which texts are formatted.'),
  text('timezone', 'The time zone.'),
  flag('active', 'Whether the account is in use. Who is not active counts as left.'),
  many('emails', 'The e-mail addresses.'),
  many('phoneNumbers', 'The telephone numbers.'),
  many('ims', 'The addresses for messages.'),
  many(
    'photos',
    'The addresses of photos.',
    valueParts.map((part) => (part.name === 'value' ? reference('value', 'The address.', 'external') : part)),
  ),
  many('addresses', 'The postal addresses.', addressParts),
  many('entitlements', 'The entitlements.'),
  many('roles', 'The roles.'),
];

const enterprise: readonly Attribute[] = [
  text('employeeNumber', 'The number of the employee.'),
  text('costCenter', 'The cost center.'),
  text('organization', 'The organization.'),
  text('division', 'The division.'),
  text('department', 'The department.'),
  {
    name: 'manager',
    type: 'complex',
    parts: [
      exact('value', 'The id of the manager.'),
      reference('$ref', 'The address of the manager.', 'User'),
      text('displayName', 'The name.'),
    ],
    description: 'The manager.',
  },
];

const group: readonly Attribute[] = [externalId, text('displayName', 'The name; there are no two groups of one name.')];

/** The schemas of a kind: its own first, then its extensions. Attributes of an extension are in an object of its name. */
export const schemasOf: Readonly<
  Record<Kind, readonly { id: string; name: string; attributes: readonly Attribute[] }[]>
> = {
  User: [
    { id: urns.user, name: 'User Account', attributes: user },
    { id: urns.enterprise, name: 'Enterprise User', attributes: enterprise },
  ],
  Group: [{ id: urns.group, name: 'Group', attributes: group }],
};

/** What ties users to groups: the groups of a user, the members of a group. It is not kept with either. */
export const related: Readonly<Record<Kind, Attribute>> = {
  User: {
    ...many('groups', 'The groups of a user.', [
      exact('value', 'The id of the group.'),
      reference('$ref', 'The address of the group.', 'Group'),
      text('display', 'The name of the group.'),
    ]),
    fixed: true,
  },
  Group: many('members', 'The users and groups in the group.', [
    exact('value', 'The id of the member.'),
    reference('$ref', 'The address of the member.', 'User', 'Group'),
    text('display', 'The name of the member.'),
    text('type', 'User or Group.'),
  ]),
};

/** What is answered but never taken over with a resource, though filters may ask for it. */
export const readOnly: readonly Attribute[] = [
  exact('id', 'The id here.'),
  {
    name: 'meta',
    type: 'complex',
    parts: [
      text('resourceType', 'User or Group.'),
      exact('created', 'When it was created.'),
      exact('lastModified', 'When it was changed last.'),
      exact('version', 'Its version.'),
    ],
    description: 'What is known about the resource itself.',
  },
  related.User,
  related.Group,
];

/** Whether two names of attributes are the same: letters count whatever their case (RFC 7643, section 2.1). */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const attributeOf = (name: string, among: readonly Attribute[]): Attribute | undefined =>
  among.find((attribute) => isSameName(attribute.name, name));
