// Signing in: with a link, with name and password; and back to where somebody was.
import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Back, pathOfOurs } from '../../core/access/back.ts';
import { matchesPassword, nobodysPassword } from '../../core/access/password.ts';
import { accountKey, scopesOf } from '../../core/access/roles.ts';
import { isLoopback } from '../../core/host/loopback.ts';
import { goOnPage, signInPage, type SignInView } from '../../page/sign-in.ts';
import type { ServerParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { sendPage } from './answers.ts';
import { beginSession, endSession, requireOwnOrigin, takeLink, type Who } from './session.ts';

/** Attempts with one name, and from one address, in this time; right ones count as well. */
const attemptsOfName = 10;
const attemptsOfAddress = 50;
const timeWindow = '15 minutes';
/** Names that are remembered, so that nobody gets more attempts by trying many. */
const remembered = 50_000;

type Form = Partial<Record<string, string>>;

/** The routes of who is not signed in yet. */
export async function registerSigningIn(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { ledger } = parts.context;
  await app.register(rateLimit, { global: false, cache: remembered });
  const nameOf = ({ body }: FastifyRequest): string => accountKey((body as Form)['name'] ?? '');
  const ofName = app.createRateLimit({ max: attemptsOfName, timeWindow, keyGenerator: nameOf });
  const ofAddress = app.createRateLimit({ max: attemptsOfAddress, timeWindow, keyGenerator: ({ ip }) => ip });

  app.get('/sign-in', async (request, reply) => {
    const { link = '', to = '/', over } = request.query as Form;
    const who = link === '' ? undefined : await takeLink(ledger, link);
    if (who) return enter(request, reply, who, { path: '/' });
    const reason = link !== '' ? 'used' : over !== undefined ? 'over' : undefined;
    return show(request, reply.code(link === '' ? 200 : 403), { reason, back: { path: pathOfOurs(to) } });
  });

  app.post('/sign-in', async (request, reply) => {
    requireOwnOrigin(request);
    requirePrivacy(request);
    const { name = '', password = '' } = request.body as Form;
    const back = backOf(request.body as Form);
    const limits = [await ofAddress(request), await ofName(request)];
    if (limits.some((limit) => !limit.isAllowed && limit.isExceeded)) {
      return show(request, reply.code(429), { reason: 'throttled', back, name });
    }
    const account = await ledger.findAccount(accountKey(name));
    // Compared in any case, so that the time does not tell whether there is such an account.
    const isRight = await matchesPassword(password, account?.password ?? nobodysPassword);
    if (!account || !isRight) return show(request, reply.code(401), { reason: 'wrong', back, name });
    await ledger.noteSignIn(account.key);
    return enter(request, reply, { name: account.name, scopes: scopesOf(account.role), account: account.key }, back);
  });

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    view: Omit<SignInView, 'hasAccounts'>,
  ): Promise<FastifyReply> {
    return sendSignIn(parts, request, reply, view);
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, who: Who, back: Back): Promise<FastifyReply> {
    await beginSession(ledger, request, reply, who);
    reply.header('cache-control', 'no-store');
    if (back.fields === undefined) return reply.redirect(back.path, 303);
    return sendPage(parts, request, reply, { title: 'You are signed in' }, goOnPage(who.name, back));
  }
}

/** Where somebody who is not signed in is sent, and from there back to the path that they asked for. */
export function signInAddress(path: string, isOver: boolean): string {
  const query = new URLSearchParams({ ...(path !== '/' && { to: path }), ...(isOver && { over: '1' }) }).toString();
  return query === '' ? '/sign-in' : `/sign-in?${query}`;
}

/** Ends a session; for who is signed in. */
export function registerSigningOut(app: FastifyInstance, { context: { ledger } }: ServerParts): void {
  app.post('/sign-out', async (request, reply) => {
    await endSession(ledger, request, reply);
    return reply.redirect('/sign-in', 303);
  });
}

/** Sends the page that asks to sign in. */
export async function sendSignIn(
  parts: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  view: Omit<SignInView, 'hasAccounts'>,
): Promise<FastifyReply> {
  const accounts = await parts.context.ledger.listAccounts();
  const { title, body } = signInPage({ ...view, hasAccounts: accounts.length > 0 });
  return sendPage(parts, request, reply.header('cache-control', 'no-store'), { title }, body);
}

/** Where the sign-in form says that somebody was. */
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
  const detail =
    'This connection is not encrypted, so no password is taken. Open the address that begins with https. If it does, ' +
    'whoever runs roster-sync adds the proxy in front of it to server.trustProxy.';
  throw new RequestError(403, 'NOT_PRIVATE', detail);
}
