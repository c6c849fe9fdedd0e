import { createServer, type RequestListener, type Server } from 'node:http';
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

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const discovery = '/.well-known/openid-configuration';

/**
 * Starts a real provider on loopback; `people` are its users by id, with their claims. Like Google, it has its tokens, keys and
 * people on another server than its pages.
 */
export async function startSignInService(people: Record<string, Record<string, unknown>>): Promise<SignInService> {
  const [server, behind] = [createServer(), createServer()];
  const [issuer, other] = [await listen(server), await listen(behind)];
  async function discover(): Promise<string> {
    const found = (await (await fetch(other + discovery)).json()) as object;
    return JSON.stringify({ ...found, authorization_endpoint: `${issuer}/auth` });
  }
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
      const answer = provider.callback();
      behind.on('request', answer);
      server.on('request', (request, response) => {
        const { url = '' } = request;
        if (url === discovery)
          void discover().then((found) => response.setHeader('content-type', 'application/json').end(found));
        else if (/^\/(?:token|jwks|me)\b/.test(url)) response.writeHead(404).end();
        else answer(request, response);
      });
    },
    async close() {
      for (const each of [server, behind]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
    },
  };
}
