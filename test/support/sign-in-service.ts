import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types.
import * as untyped from 'oidc-provider';

interface Grant {
  addOIDCScope(scope: string): void;
  save(): Promise<string>;
}
interface ProviderOfOpenId {
  Grant: new (of: { clientId: string; accountId: string }) => Grant;
  callback(): RequestListener;
}
const { Provider } = untyped as unknown as {
  Provider: new (issuer: string, settings: object) => ProviderOfOpenId;
};

/** A sign-in service that speaks OpenID Connect. */
export interface SignInService {
  issuer: string;
  /** Lets this application in, whose address is known only once it listens. */
  register(client: { id: string; secret: string; returnTo: string }): void;
  close(): Promise<void>;
}

/** Starts a real provider on a free port of loopback; `people` are its users by id, with their claims. */
export async function startSignInService(people: Record<string, Record<string, unknown>>): Promise<SignInService> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    register({ id, secret, returnTo }) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: id,
            client_secret: secret,
            redirect_uris: [returnTo],
            token_endpoint_auth_method: 'client_secret_post',
          },
        ],
        claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
        pkce: { required: () => true },
        cookies: { keys: ['only for this test'] },
        findAccount: (_context: unknown, sub: string) =>
          people[sub] && { accountId: sub, claims: () => ({ sub, ...people[sub] }) },
        // Nobody is asked whether the application may know them.
        async loadExistingGrant({
          oidc,
        }: {
          oidc: { provider: ProviderOfOpenId; client: { clientId: string }; session: { accountId: string } };
        }) {
          const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
          grant.addOIDCScope('openid profile email groups');
          await grant.save();
          return grant;
        },
      });
      server.on('request', provider.callback());
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
