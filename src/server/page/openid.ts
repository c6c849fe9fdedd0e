// Signs people in by OpenID Connect: the authorization code flow with PKCE, state and nonce.
import { codeOf, RequestError } from '../../core/errors.ts';
import { createHash } from 'node:crypto';
import * as openid from 'openid-client';
import type { SignIn } from '../../../config/schema.ts';
import { nameWithId, type Role, roles, scopesOf } from '../../core/access/roles.ts';
import { openFetch } from '../../http/connections.ts';
import { t } from '../../page/words.ts';
import type { Who } from './session.ts';

/** The longest that one answer of the sign-in service may take, s. */
const timeoutSeconds = 10;
/** What is known about the service is asked for again after this time: it may have moved. */
const knownForMs = 60 * 60_000;

/** What a browser has to bring back from the sign-in service. */
export interface Challenge {
  state: string;
  nonce: string;
  verifier: string;
}

export type OpenId = ReturnType<typeof openOpenId>;

/** The sign-in service of a company. It is asked when the first person comes, not at the start. */
export function openOpenId(settings: SignIn, environment: Readonly<Record<string, string | undefined>>) {
  const issuer = new URL(settings.issuer);
  const name = settings.name ?? issuer.hostname;
  let known: { at: number; configuration: Promise<openid.Configuration> } | undefined;

  async function discover(): Promise<openid.Configuration> {
    const insecure = issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [];
    return openid.discovery(
      issuer,
      settings.clientId,
      undefined,
      openid.ClientSecretPost(settings.clientSecret.reveal()),
      {
        timeout: timeoutSeconds,
        execute: [openid.enableNonRepudiationChecks, ...insecure],
        [openid.customFetch]: openFetch({ connections: 4, connectTimeoutMs: timeoutSeconds * 1000, environment }),
      },
    );
  }

  async function service(): Promise<openid.Configuration> {
    if (known === undefined || performance.now() - known.at > knownForMs) {
      known = { at: performance.now(), configuration: discover() };
    }
    const { configuration } = known;
    try {
      return await configuration;
    } catch (error) {
      if (known?.configuration === configuration) known = undefined;
      throw new RequestError(
        502,
        'SIGN_IN_SERVICE',
        t('{service} cannot be asked who you are ({reason}). Try again in a moment, or sign in another way.', 1, {
          service: name,
          reason: reasonOf(error),
        }),
      );
    }
  }

  return {
    name,
    /** Where to send a browser, and what it has to bring back. */
    async begin(returnTo: string): Promise<{ url: string; challenge: Challenge }> {
      const challenge = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const url = openid.buildAuthorizationUrl(await service(), {
        redirect_uri: returnTo,
        scope: settings.scope,
        state: challenge.state,
        nonce: challenge.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(challenge.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, challenge };
    },
    /**
     * Who came back.
     * @param came the whole address that the browser came back to
     * @throws RequestError when the service does not answer, says no, or answers somebody else's question, and for a person without a role
     */
    async finish(came: URL, { state, nonce, verifier }: Challenge): Promise<Who> {
      const configuration = await service();
      const claims = await claimsOf(configuration, came, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      }).catch((error: unknown) => {
        throw new RequestError(
          403,
          'NOT_SIGNED_IN',
          t('{service} did not sign you in ({reason}). Sign in again.', 1, { service: name, reason: reasonOf(error) }),
        );
      });
      const who = nameOf(claims, issuer);
      const role = roleOf(claims, settings);
      if (role !== undefined) return { name: who, scopes: scopesOf(role) };
      throw new RequestError(
        403,
        'NO_ROLE',
        t('You are {who}, but nobody has said what you may do here. Whoever runs roster-sync can give you a role.', 1, {
          who,
        }),
      );
    },
  };
}

type Claims = Record<string, unknown> & { sub: string };

/** What the service says about who came back: in its token, and where that is short, at its userinfo endpoint. */
async function claimsOf(
  configuration: openid.Configuration,
  came: URL,
  checks: openid.AuthorizationCodeGrantChecks,
): Promise<Claims> {
  const tokens = await openid.authorizationCodeGrant(configuration, came, checks);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('no ID token came back');
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more = hasMore ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {};
  return { ...more, ...claims };
}

/** OpenID knows a person by issuer and `sub` (Core 1.0, 5.7): so an address that is not verified is left out. */
export function nameOf({ name, email, email_verified: isVerified, sub }: Claims, issuer: URL): string {
  const address = typeof email === 'string' && isVerified === true ? email : sub;
  const id = createHash('sha256').update(`${issuer.href} ${sub}`).digest('hex').slice(0, idLength);
  return nameWithId(typeof name === 'string' ? `${name}, ${address}` : address, id);
}

/** Hexadecimal digits: 64 bits. */
const idLength = 16;

/** At many services people choose their address themselves: one that is not verified gives no role. */
function roleOf(claims: Claims, { claim, roles: given }: SignIn): Role | undefined {
  if (claim === 'email' && claims['email_verified'] !== true) return undefined;
  const value = claims[claim];
  const values = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  const found = values.filter((each) => Object.hasOwn(given, each)).map((each) => given[each]);
  return roles.findLast((role) => found.includes(role));
}

function reasonOf(error: unknown): string {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError)
    return t('it answered {error}', 1, { error: error.error });
  const chain = causesOf(error);
  if (chain.some(({ name }) => name === 'TimeoutError')) return t('no answer within # s', timeoutSeconds);
  const network = chain.map(codeOf).find((code) => /^(E[A-Z]+|UND_ERR_\w+)$/.test(code));
  return network ?? chain.at(-1)?.message.slice(0, 200) ?? t('for an unknown reason');
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
