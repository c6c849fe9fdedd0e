import { type Answered, type ApiServer, startApiServer } from '../api-server.ts';

/** An identity provider that pushes to the source `staff-scim` of a server of its own. */
export interface Provider {
  server: ApiServer;
  /** Asks below the address of the service. */
  ask(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answered>;
  /** Adds a user with a work address and returns the id. */
  addUser(name: string, more?: object): Promise<string>;
  /** Adds a group and returns the id. */
  addGroup(name: string, members?: readonly string[]): Promise<string>;
  /** Changes a user or a group by these operations. */
  patch(path: string, ...operations: object[]): Promise<Answered>;
}

/** Starts the server and makes the token. A run begins 200 ms after the last change. */
export async function startProvider(): Promise<Provider> {
  const server = await startApiServer(`
  staff-scim:
    scim: { quiet: 200ms, longest: 5s }
  other-scim:
    scim: {}
`);
  const token = await server.token('entra', ['scim:staff-scim']);
  const provider: Provider = {
    server,
    ask: (method, path, body, headers = {}) =>
      server.ask(`/scim/v2/staff-scim${path}`, {
        ...{ method, token },
        headers: { 'content-type': 'application/scim+json; charset=utf-8', ...headers },
        ...(body !== undefined && { body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) }),
      }),
    async addUser(name, more = {}) {
      const { json } = await provider.ask('POST', '/Users', user(name, more));
      return json.id as string;
    },
    async addGroup(displayName, members = []) {
      const body = {
        schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
        displayName,
        members: members.map((value) => ({ value })),
      };
      return (await provider.ask('POST', '/Groups', body)).json.id as string;
    },
    patch: (path, ...operations) =>
      provider.ask('PATCH', path, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: operations,
      }),
  };
  return provider;
}

/** A user as Entra creates one. */
export function user(name: string, more: object = {}): object {
  const [first = '', last = ''] = name.split('.');
  return {
    schemas: [
      'urn:ietf:params:scim:schemas:core:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    ],
    externalId: name,
    userName: `${name}@example.com`,
    active: true,
    emails: [{ primary: true, type: 'work', value: `${name}@example.com` }],
    meta: { resourceType: 'User' },
    name: { formatted: `${first} ${last}`, familyName: last, givenName: first },
    roles: [],
    ...more,
  };
}
