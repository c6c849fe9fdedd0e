// Signing in: with a link, with name and password; and back to where somebody was.
import { RequestError } from '../../core/errors.ts';
import { randomBytes } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Back, pathOfOurs, accountKey, longestName, scopesOf, welcomePath } from '../../core/access/roles.ts';
import {
  dummyPassword,
  hashPassword,
  matchesPassword,
  readPassword,
  saltBytes,
  wrongPassword,
} from '../../core/access/password.ts';
import { hashToken } from '../../core/secrets/token.ts';
import { isLoopback } from '../../core/host/this-machine.ts';
import { goOnPage, leavingPage, signInPage, type SignInView, welcomePage, wrongs } from '../../page/sign-in.ts';
import { t } from '../../page/words.ts';
import type { ServerParts } from '../parts.ts';
import {
  beginSession,
  cookieOf,
  endSession,
  type Form,
  formOf,
  openLink,
  originFor,
  requireOwnOrigin,
  sendPage,
  setCookie,
  type Who,
} from './session.ts';
import { openOpenId, type OpenId } from './openid.ts';

/** Attempts with one name, and from one address, in this time; right ones count as well. */
const attemptsOfName = 10;
const attemptsOfAddress = 50;
const timeWindow = '15 minutes';
/** Names that are remembered, so that nobody gets more attempts by trying many. */
const remembered = 50_000;

/** Where the sign-in service sends people back. */
const callbackPath = '/sign-in/callback';
const leavingCookie = 'roster_sync_sign_in';
/** Time for somebody to sign in elsewhere. */
const leavingForMs = 10 * 60_000;

export async function registerSigningIn(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { ledger, config } = parts.context;
  await app.register(rateLimit, { global: false });
  const limits = { timeWindow, cache: remembered };
  const nameOf = ({ body }: FastifyRequest): string => accountKey(((body as Form)['name'] ?? '').slice(0, longestName));
  const ofName = app.createRateLimit({ ...limits, max: attemptsOfName, keyGenerator: nameOf });
  const ofAddress = app.createRateLimit({ ...limits, max: attemptsOfAddress, keyGenerator: ({ ip }) => ip });
  async function isOver(limitOf: typeof ofName, request: FastifyRequest): Promise<boolean> {
    const limit = await limitOf(request);
    return !limit.isAllowed && limit.isExceeded;
  }

  // A link can be used once, so no look at its head may use it.
  app.get('/sign-in', { exposeHeadRoute: false }, async (request, reply) => {
    const { link = '', to = '/', over } = request.query as Form;
    const seen = link === '' ? undefined : await openLink(ledger, link, false);
    // One to an account works only together with a password: it is not used up here.
    const found = seen?.account === null ? await openLink(ledger, link, true) : undefined;
    if (found) return enter(request, reply, { name: found.name, scopes: found.scopes }, { path: '/' });
    const reason = link !== '' ? 'used' : over !== undefined ? 'over' : undefined;
    return sendSignIn(parts, request, reply.code(link === '' ? 200 : 403), { reason, back: { path: pathOfOurs(to) } });
  });

  app.post('/sign-in', async (request, reply) => {
    requireOwnOrigin(request);
    requirePrivacy(request);
    const { name = '', password = '' } = formOf(request);
    const back = backOf(formOf(request));
    if ((await isOver(ofAddress, request)) || (await isOver(ofName, request))) {
      return sendSignIn(parts, request, reply.code(429), { reason: 'throttled', back, name });
    }
    const account = await ledger.findAccount(accountKey(name));
    // Compared in any case, so that the time does not tell whether there is such an account.
    const isRight = await matchesPassword(password, account?.password ?? dummyPassword);
    if (!account || !isRight) return sendSignIn(parts, request, reply.code(401), { reason: 'wrong', back, name });
    await ledger.noteSignIn(account.key);
    return enter(request, reply, { name: account.name, scopes: scopesOf(account.role), account: account.key }, back);
  });

  /** Whoever has the link to an account chooses its password. Mail programs look at links, so that looking uses nothing up. */
  async function sendWelcome(request: FastifyRequest, reply: FastifyReply, link: string, why?: string) {
    const found = await openLink(ledger, link, false);
    const name = found?.account === null ? undefined : found?.name;
    if (name === undefined) void reply.code(403);
    void reply.header('cache-control', 'no-store');
    return sendPage(parts, request, reply, { title: t('Choose a password') }, welcomePage({ link, name, why }));
  }

  app.get(welcomePath, { exposeHeadRoute: false }, async (request, reply) =>
    sendWelcome(request, reply, (request.query as Form)['link'] ?? ''),
  );

  app.post(welcomePath, async (request, reply) => {
    requireOwnOrigin(request);
    requirePrivacy(request);
    const { link = '', password = '', again = '' } = formOf(request);
    if (await isOver(ofAddress, request)) return sendWelcome(request, reply.code(429), link, t(wrongs.throttled));
    const why = wrongPassword(password) ?? (password === again ? undefined : t('The two passwords are not the same.'));
    if (why !== undefined) return sendWelcome(request, reply.code(422), link, why);
    const key = (await openLink(ledger, link, true))?.account ?? '';
    await ledger.changePassword(key, await hashPassword(readPassword(password), randomBytes(saltBytes)));
    const account = await ledger.findAccount(key);
    if (account === undefined) return sendWelcome(request, reply, link);
    await ledger.noteDeed({ by: account.name, action: 'choose a password', origin: request.ip });
    await ledger.noteSignIn(key);
    return enter(request, reply, { name: account.name, scopes: scopesOf(account.role), account: key }, { path: '/' });
  });

  const { signIn } = config.server;
  if (signIn) registerOpenId(openOpenId(signIn, config.proxyEnvironment));

  function registerOpenId(service: OpenId): void {
    app.get('/sign-in/with', async (request, reply) => {
      const { url } = await leave(request, reply, { path: pathOfOurs((request.query as Form)['to'] ?? '/') });
      return reply.redirect(url, 303);
    });
    // A form must not lead to another site (`form-action`), so that the way there is a link.
    app.post('/sign-in/with', async (request, reply) => {
      requireOwnOrigin(request);
      const { url } = await leave(request, reply, backOf(formOf(request)));
      const title = t('Sign in with {service}', 1, { service: service.name });
      return sendPage(parts, request, reply, { title }, leavingPage(service.name, url));
    });
    app.get(callbackPath, async (request, reply) => {
      const id = cookieOf(request, leavingCookie);
      const begun = id === '' ? undefined : await ledger.takeSignIn(hashToken(id));
      if (!begun)
        throw new RequestError(403, 'NOT_SIGNED_IN', t('This sign-in is over or was used before. Sign in again.'));
      const { back, ...challenge } = begun;
      return enter(request, reply, await service.finish(new URL(request.url, originFor(request)), challenge), back);
    });

    async function leave(request: FastifyRequest, reply: FastifyReply, back: Back): Promise<{ url: string }> {
      requirePrivacy(request);
      if (await isOver(ofAddress, request)) {
        throw new RequestError(429, 'TOO_MANY_REQUESTS', t(wrongs.throttled));
      }
      const { url, challenge } = await service.begin(originFor(request) + callbackPath);
      const value = randomBytes(32).toString('base64url');
      await ledger.keepSignIn({ ...challenge, id: hashToken(value), back }, leavingForMs);
      setCookie(request, reply, { name: leavingCookie, value, seconds: leavingForMs / 1000 });
      reply.header('cache-control', 'no-store');
      return { url };
    }
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, who: Who, back: Back): Promise<FastifyReply> {
    await beginSession(ledger, request, reply, who);
    reply.header('cache-control', 'no-store');
    if (back.fields === undefined) return reply.redirect(back.path, 303);
    return sendPage(parts, request, reply, { title: t('You are signed in') }, goOnPage(who.name, back));
  }
}

/** Where somebody who is not signed in is sent, and from there back to the path that they asked for. */
export function signInAddress(path: string, isOver: boolean): string {
  const query = new URLSearchParams({ ...(path !== '/' && { to: path }), ...(isOver && { over: '1' }) }).toString();
  return query === '' ? '/sign-in' : `/sign-in?${query}`;
}

export function registerSigningOut(app: FastifyInstance, { context: { ledger } }: ServerParts): void {
  app.post('/sign-out', async (request, reply) => {
    await endSession(ledger, request, reply);
    return reply.redirect('/sign-in', 303);
  });
}

export async function sendSignIn(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  view: Omit<SignInView, 'hasAccounts' | 'service'>,
): Promise<FastifyReply> {
  const accounts = await parts.context.ledger.listAccounts();
  const { signIn } = parts.context.config.server;
  const service = signIn && (signIn.name ?? new URL(signIn.issuer).hostname);
  const { title, body } = signInPage({ ...view, hasAccounts: accounts.length > 0, ...(service && { service }) });
  return sendPage(parts, request, reply.header('cache-control', 'no-store'), { title }, body);
}

function backOf({ to = '/', kept = '' }: Form): Back {
  const path = pathOfOurs(to);
  if (kept === '') return { path };
  try {
    const fields = Object.entries(JSON.parse(kept) as object).filter(([, value]) => typeof value === 'string');
    return { path, fields: Object.fromEntries(fields) };
  } catch {
    return { path };
  }
}

/** A password goes over lines that nobody reads, and to this machine. */
function requirePrivacy({ protocol, hostname }: FastifyRequest): void {
  if (protocol === 'https' || isLoopback(hostname)) return;
  const detail = [
    t('This connection is not encrypted, so nobody signs in over it. Open the address that begins with https.'),
    t('If it does, whoever runs roster-sync has to say in its settings which proxy is in front of it.'),
  ];
  throw new RequestError(403, 'NOT_PRIVATE', detail.join(' '));
}
