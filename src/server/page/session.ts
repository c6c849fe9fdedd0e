// Who is signed in to the pages, what each request may do, and how it is answered: HTML that runs no foreign script.
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
import { RequestError, ScopeError } from '../../core/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { NewSession, PageSession } from '../../ledger/access/accounts.ts';
import { type Frame, page, type Viewer } from '../../page/layout.ts';
import { t } from '../../page/words.ts';
import { defined } from '../../core/defined.ts';
import type { Html } from '../../core/text/format.ts';
import { readVersion } from '../../process/version.ts';
import type { ServerParts } from '../parts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in to the pages; absent on the routes that anybody may see. */
    session?: PageSession;
    /** Who may approve, for somebody who may not. */
    approvers?: string[];
  }
}

/** Where the owner of a data directory makes such links, on its socket only. */
export const signInLinkPath = '/sign-in-link';

const sessionCookie = 'roster_sync_session';
/** A working day; then somebody signs in again. */
const sessionForMs = 8 * 60 * 60_000;
/** The cookie outlives its session by this, so that the page says that it is over; it lets nobody in then. */
const cookieForMs = sessionForMs + 24 * 60 * 60_000;
/** A link is meant to be opened at once. */
const linkForMs = 5 * 60_000;

/** The largest form that is read without a session, so that what somebody typed is not lost, bytes. */
const mostKeptBytes = 64 * 1024;

/** Nobody is signed in, or not any more: the page says how, and keeps what was typed. */
export class SignedOut extends RequestError {
  /** The form that was sent; absent where a page was only opened. */
  readonly fields: Record<string, string> | undefined;
  /** Whether somebody was signed in before. */
  readonly isOver: boolean;
  /** Whether a file came with the form; it is not kept. */
  readonly hadFile: boolean;
  constructor({ fields, isOver, hadFile = false }: Pick<SignedOut, 'isOver'> & Partial<SignedOut>) {
    super(401, 'SIGN_IN', 'You are not signed in, or were signed out after 8 hours.');
    this.fields = fields;
    this.isOver = isOver;
    this.hadFile = hadFile;
  }
}

/** Works once, within five minutes: its path and query. `name` is as the audit names them. */
export async function makeSignInLink(
  ledger: Pick<Ledger, 'addSession'>,
  name: string,
  scopes: Scope[],
): Promise<string> {
  return `/sign-in?link=${await add(ledger, { name, scopes, isLink: true }, linkForMs)}`;
}

async function add(
  ledger: Pick<Ledger, 'addSession'>,
  session: Omit<NewSession, 'id' | 'hash'>,
  forMs: number,
): Promise<string> {
  const token = makeToken(randomBytes(tokenBytes));
  await ledger.addSession({ ...session, id: token.id, hash: hashToken(token.secret) }, forMs);
  return writeToken(token);
}

/** What a link leads to; `use`: it is used up by that. Undefined where the link is used, over, or none. */
export async function openLink(ledger: Ledger, link: string, use: boolean): Promise<PageSession | undefined> {
  const parts = readToken(link);
  const found = parts && (await (use ? ledger.takeLink(parts.id) : ledger.findLink(parts.id)));
  return found && matchesHash(parts.secret, found.hash) ? found : undefined;
}

export type Who = Pick<NewSession, 'name' | 'scopes' | 'account'>;

export async function beginSession(
  ledger: Ledger,
  request: FastifyRequest,
  reply: FastifyReply,
  who: Who,
): Promise<void> {
  const token = await add(ledger, { ...who, isLink: false }, sessionForMs);
  setCookie(request, reply, { name: sessionCookie, value: token, seconds: cookieForMs / 1000 });
  await ledger.noteDeed({ by: who.name, action: 'sign in to the pages', origin: request.ip });
}

export async function endSession(ledger: Ledger, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (request.session) {
    await ledger.endSession(request.session.id);
    await ledger.noteDeed({ by: request.session.name, action: 'sign out of the pages', origin: request.ip });
  }
  setCookie(request, reply, { name: sessionCookie, value: '', seconds: 0 });
}

/** Sets a cookie that no script reads, and that only goes with pages of ours. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { name, value, seconds }: { name: string; value: string; seconds: number },
): void {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  reply.header('set-cookie', `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`);
}

export function cookieOf(request: FastifyRequest, name: string): string {
  const cookies = (request.headers.cookie ?? '').split('; ');
  return cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** Lets only those in who are signed in; what changes something must come from a page of ours. */
export function requireSession(app: FastifyInstance, ledger: Ledger): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method !== 'GET') requireOwnOrigin(request);
    const session = await sessionOf(request, ledger);
    const hadFile = request.routeOptions.config.takesFile === true;
    if (!session) {
      if (isSmallForm(request) && !hadFile) return;
      throw new SignedOut({ isOver: wasSignedIn(request), hadFile });
    }
    // The parsers of all other bodies would read as much as a file may have into memory.
    if (hadFile && !isOfType(request, 'multipart/form-data')) {
      const detail = t('Send the file as multipart/form-data, as the form on this page does.');
      throw new RequestError(415, 'NOT_A_FILE', detail);
    }
    if (hadFile && !/;\s*boundary="?[^\s";]/i.test(request.headers['content-type'] ?? ''))
      throw new RequestError(400, 'NOT_A_FILE', t('The form says no boundary. Send it as the form on this page does.'));
    request.session = session;
    request.by = session.name;
    request.scopes = session.scopes;
    if (!session.scopes.includes('approve')) request.approvers = await ledger.approvers();
  });
  // What somebody typed is read first, so that it is not lost.
  app.addHook('preValidation', async (request) => {
    if (request.session) return;
    const fields = request.body as Record<string, string> | undefined;
    throw new SignedOut({ fields: fields ?? {}, isOver: wasSignedIn(request) });
  });
}

function isSmallForm(request: FastifyRequest): boolean {
  return (
    isOfType(request, 'application/x-www-form-urlencoded') && Number(request.headers['content-length']) <= mostKeptBytes
  );
}

function isOfType({ headers }: FastifyRequest, type: string): boolean {
  return (headers['content-type'] ?? '').startsWith(type);
}

function wasSignedIn(request: FastifyRequest): boolean {
  return cookieOf(request, sessionCookie) !== '';
}

async function sessionOf(request: FastifyRequest, ledger: Ledger): Promise<PageSession | undefined> {
  const parts = readToken(cookieOf(request, sessionCookie));
  const session = parts && (await ledger.findSession(parts.id));
  return session && matchesHash(parts.secret, session.hash) ? session : undefined;
}

/** Browsers send the origin of a page with whatever it posts; `checkHosts` has refused the origin of others. */
export function requireOwnOrigin({ headers }: FastifyRequest): void {
  if (headers.origin !== undefined && headers.origin !== 'null') return;
  if (headers['sec-fetch-site'] === 'same-origin') return;
  throw new RequestError(
    403,
    'FOREIGN_PAGE',
    t('This request did not come from a page of roster-sync. Nothing was changed.'),
  );
}

/** Where browsers reach this server; `checkHosts` has refused names that are not ours. */
export function originFor({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`;
}

/** What a form says, by the names of its fields. */
export type Form = Partial<Record<string, string>>;
export const formOf = ({ body }: FastifyRequest): Form => body ?? {};

/** What stands in the path of a request for a name: `/runs/:run`. */
export const paramOf = ({ params }: FastifyRequest, name: string): string => (params as Form)[name] ?? '';

export function requireScope(request: FastifyRequest, scope: Scope): void {
  if (request.session?.scopes.includes(scope)) return;
  throw new ScopeError(scope);
}

export function viewerOf({ session, approvers = [] }: FastifyRequest): Viewer {
  const may = (scope: Scope): boolean => session?.scopes.includes(scope) ?? false;
  return {
    name: session?.name ?? '',
    mayRun: may('run'),
    mayApprove: may('approve'),
    mayGiveAccess: may('access'),
    approvers,
  };
}

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

export function sendPage(
  { context }: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Omit<Frame, 'version' | 'viewer' | 'service' | 'isQueueAway'>,
  body: Html,
): FastifyReply {
  const { baseUrl } = context.config.service;
  const service = baseUrl === undefined ? undefined : URL.parse(baseUrl)?.host;
  const viewer = request.session && viewerOf(request);
  const whole = page(
    {
      ...frame,
      version: readVersion(),
      isQueueAway: request.isQueueAway === true,
      ...defined({ viewer, service }),
    },
    body,
  );
  return (
    reply
      .header('content-security-policy', policy)
      // Without an origin a browser could not show that a form is our own.
      .header('referrer-policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(whole.toString())
  );
}
