// Who is signed in to the pages: the cookie, the link that works once, and what each request may do.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  hashToken,
  makeToken,
  matchesHash,
  readToken,
  type Scope,
  tokenBytes,
  writeToken,
} from '../../core/secrets/token.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PageSession } from '../../ledger/access/sessions.ts';
import type { Viewer } from '../../page/layout.ts';
import { RequestError } from '../problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in to the pages; absent on the routes that anybody may see. */
    session?: PageSession;
  }
}

/** Where the owner of a data directory makes such links, on its socket only. */
export const signInLinkPath = '/sign-in-link';

const cookie = 'roster_sync_session';
/** A working day; then somebody signs in again. */
const sessionForMs = 8 * 60 * 60_000;
/** A link is meant to be opened at once. */
const linkForMs = 5 * 60_000;

/**
 * Makes a link that signs somebody in once, within five minutes: the path and query of it.
 * @param name as the audit names them
 */
export async function makeSignInLink(
  ledger: Pick<Ledger, 'addSession'>,
  name: string,
  scopes: Scope[],
): Promise<string> {
  return `/sign-in?link=${await add(ledger, { name, scopes, isLink: true }, linkForMs)}`;
}

async function add(
  ledger: Pick<Ledger, 'addSession'>,
  session: Pick<PageSession, 'name' | 'scopes' | 'isLink'>,
  forMs: number,
): Promise<string> {
  const token = makeToken(randomBytes(tokenBytes));
  await ledger.addSession({ ...session, id: token.id, hash: hashToken(token.secret) }, forMs);
  return writeToken(token);
}

/** Uses a link up and begins a session. False where the link is used, over, or none. */
export async function signIn(
  ledger: Ledger,
  link: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const parts = readToken(link);
  const found = parts && (await ledger.takeLink(parts.id));
  if (!found || !matchesHash(parts.secret, found.hash)) return false;
  const token = await add(ledger, { name: found.name, scopes: found.scopes, isLink: false }, sessionForMs);
  setCookie(request, reply, token, sessionForMs / 1000);
  await ledger.noteDeed({ by: found.name, action: 'sign in to the pages', origin: request.ip });
  return true;
}

/** Ends the session of a request. */
export async function signOut(ledger: Ledger, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.session) await ledger.endSession(request.session.id);
  setCookie(request, reply, '', 0);
}

function setCookie(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${cookie}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}

/** Lets only those in who are signed in; what changes something must come from a page of ours. */
export function requireSession(app: FastifyInstance, ledger: Ledger): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method !== 'GET') requireOwnOrigin(request);
    const session = await sessionOf(ledger, request);
    if (!session) throw new RequestError(401, 'SIGN_IN', 'You are not signed in, or were signed out after 8 hours.');
    request.session = session;
    request.by = session.name;
  });
}

async function sessionOf(ledger: Ledger, request: FastifyRequest): Promise<PageSession | undefined> {
  const cookies = (request.headers.cookie ?? '').split('; ');
  const text = cookies.find((each) => each.startsWith(`${cookie}=`))?.slice(cookie.length + 1) ?? '';
  const parts = readToken(text);
  const session = parts && (await ledger.findSession(parts.id));
  return session && matchesHash(parts.secret, session.hash) ? session : undefined;
}

/** Browsers send the origin of a page with whatever it posts; `checkHosts` has refused the origin of others. */
function requireOwnOrigin({ headers }: FastifyRequest): void {
  if (headers.origin !== undefined && headers.origin !== 'null') return;
  if (headers['sec-fetch-site'] === 'same-origin') return;
  throw new RequestError(
    403,
    'FOREIGN_PAGE',
    'This request did not come from a page of roster-sync. Nothing was changed.',
  );
}

/** Refuses a request whose session may not do this. */
export function requireScope({ session }: FastifyRequest, scope: Scope): void {
  if (session?.scopes.includes(scope)) return;
  const what = scope === 'approve' ? 'approve' : 'start or stop runs';
  throw new RequestError(403, 'FORBIDDEN', `You may look, and not ${what}. Nothing was changed.`);
}

/** Who looks at a page. */
export function viewerOf({ session }: FastifyRequest): Viewer {
  const may = (scope: Scope): boolean => session?.scopes.includes(scope) ?? false;
  return { name: session?.name ?? '', mayRun: may('run'), mayApprove: may('approve') };
}
