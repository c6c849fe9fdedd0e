// The webhook routes: verify the bytes, store the event, answer 202.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../core/defined.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { readBody, isPingText, verificationToken, readEvent } from '../../core/webhooks/event.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { headerOf, type Received, type Refusal } from '../../core/webhooks/scheme.ts';
import { verifyPath } from '../../core/webhooks/verify.ts';
import type { NewEvent } from '../../ledger/events/events.ts';
import { sendProblem } from '../problems.ts';
import { isAllowed, verify } from './verify.ts';
import type { HookResults } from './results.ts';

export interface HookParts {
  /** By the names of their sources. */
  webhooks: ReadonlyMap<string, Webhook>;
  results: HookResults;
  keepToken(source: string, token: string, now: Date): Promise<void>;
  add(event: NewEvent): Promise<boolean>;
  /** Called when an event that carries people was stored. */
  carried(): void;
  now(): Date;
}

/** The most bytes of an event. BambooHR puts many employees into one. */
const bodyLimit = 1024 * 1024;
/** Personio waits three seconds for an answer; it sends again what is not answered. */
const writtenWithinMs = 2500;
/** When they should, s. */
const retryAfter = '30';
/** More than this on their way into the ledger, and it does not keep up. */
const mostUnderWay = 2000;
/** JSON in all its kinds, and forms. */
const types = [/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i, /^application\/x-www-form-urlencoded\s*(?:;|$)/i];
/** No greeting is longer. */
const longestGreeting = 1024;

/**
 * `POST /hooks/<source>`, and `/hooks/<source>/<secret>` where the address itself is the secret: verify the bytes as they
 * came, write the event down, answer 202. What it leads to is done later. Whatever goes wrong on our side is a 503: most HR
 * systems never send again what was answered 4xx.
 */
export function hookRoutes(app: FastifyInstance, parts: HookParts): void {
  app.removeAllContentTypeParsers();
  for (const type of types) {
    app.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit }, (_request, bytes, done) => done(null, bytes));
  }
  let underWay = 0;

  async function take(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { source = '', secret: pathSecret } = request.params as { source?: string; secret?: string };
    const received: Received = {
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : new Uint8Array(),
      ...defined({ pathSecret }),
    };
    if (request.headers['content-encoding'] !== undefined) {
      return sendProblem(reply, { status: 415, code: 'ENCODED', detail: 'Send the body as it is, not compressed.' });
    }
    const webhook = parts.webhooks.get(source);
    if (!webhook || (webhook.scheme.by === 'path') !== (pathSecret !== undefined)) return nothing(received, reply);
    if (!isAllowed(webhook.allowFrom, request.ip)) {
      parts.results.add(source, 'address');
      return nothing(received, reply);
    }
    const greeted = await greet(source, webhook, request, received);
    if (greeted) return reply.code(200).send({ status: 'hello' });
    const refusal = verify(webhook, received, parts.now());
    if (refusal !== undefined) {
      parts.results.add(source, refusal);
      return webhook.scheme.by === 'path' ? nothing(received, reply) : refuse(refusal, reply);
    }
    return believe(source, webhook, { request, received, reply });
  }

  /** The same for a source that is not there, for one without a webhook, and for an address that is not quite right. */
  async function nothing(received: Received, reply: FastifyReply): Promise<void> {
    verifyPath({ pathSecret: '', ...received }, [nobodys]);
    return sendProblem(reply, { status: 404, code: 'NOT_FOUND', detail: 'There is nothing here.' });
  }

  /** Answers what a system sends before its first event. Returns whether the request was one. */
  async function greet(
    source: string,
    webhook: Webhook,
    request: FastifyRequest,
    received: Received,
  ): Promise<boolean> {
    const { greeting, secrets } = webhook;
    if (!greeting || received.body.length > longestGreeting) return false;
    const body = readBody(received.body, formOf(request));
    if (greeting === 'ping-text') {
      if (!isPingText(body)) return false;
      parts.results.add(source, 'ping');
      return true;
    }
    const token = verificationToken(body);
    if (token === undefined) return false;
    // The one that is in use already, or the first one, before there is any.
    const isKnown = verifyPath({ ...received, pathSecret: token }, secrets) === undefined;
    if (!isKnown && secrets.length > 0) return false;
    if (!isKnown) await parts.keepToken(source, token, parts.now());
    parts.results.add(source, 'handshake');
    return true;
  }

  async function believe(
    source: string,
    webhook: Webhook,
    { request, received, reply }: { request: FastifyRequest; received: Received; reply: FastifyReply },
  ): Promise<unknown> {
    const body = readBody(received.body, formOf(request));
    if (body === undefined) {
      parts.results.add(source, 'unreadable');
      const detail = 'The body is not what its content type says.';
      return sendProblem(reply, { status: 400, code: 'UNREADABLE', detail });
    }
    const timestamp = signedTime(webhook, received);
    const event = readEvent(webhook.shape, received, {
      body,
      timestamp,
      hasMapping: webhook.people?.members !== undefined,
    });
    if (event.use !== 'run') {
      parts.results.add(source, event.use);
      return reply.code(event.use === 'ping' ? 200 : 202).send({ status: 'noted' });
    }
    const { key, kind, employees = null, people = null } = event;
    const text = new TextDecoder().decode(received.body);
    const isNew = await write({ source, key, kind, employees, people, body: text });
    if (isNew === undefined) {
      parts.results.add(source, 'busy');
      reply.header('retry-after', retryAfter);
      return sendProblem(reply, {
        status: 503,
        code: 'BUSY',
        detail: 'The event cannot be recorded now; send it again.',
      });
    }
    parts.results.add(source, isNew ? 'stored' : 'replayed');
    if (isNew && people) parts.carried();
    return reply.code(202).send({ status: 'accepted' });
  }

  /** Writes an event down in time; undefined when that did not work out, whatever the reason. */
  async function write(event: NewEvent): Promise<boolean | undefined> {
    if (underWay >= mostUnderWay) return undefined;
    underWay += 1;
    const written = parts.add(event).catch((error: unknown) => {
      parts.results.trouble(event.source, error);
      return undefined;
    });
    void written.finally(() => (underWay -= 1));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, writtenWithinMs, undefined);
    });
    const isNew = await Promise.race([written, late]);
    clearTimeout(timer);
    return isNew;
  }

  for (const url of ['/hooks/:source', '/hooks/:source/:secret']) {
    app.route({ method: 'POST', url, bodyLimit, handler: take });
  }
}

/** What an address is compared with where there is none to compare it with. */
const nobodys = new Secret(randomBytes(24).toString('base64url'));

async function refuse(refusal: Refusal, reply: FastifyReply): Promise<void> {
  const details: Record<Refusal, string> = {
    missing: 'The request is not signed as it should be.',
    wrong: 'The signature does not match the body.',
    late: 'The time of sending is too far from now.',
  };
  return sendProblem(reply, { status: 401, code: 'UNVERIFIED', detail: details[refusal] });
}

function formOf({ headers }: FastifyRequest): 'json' | 'form' {
  return /^application\/x-www-form/i.test(headers['content-type'] ?? '') ? 'form' : 'json';
}

/** The time of sending, if it is part of the signed text, so that nobody else can have changed it. */
function signedTime({ scheme }: Webhook, received: Received): string | undefined {
  if (scheme.by !== 'signature' || scheme.timestamp === undefined) return undefined;
  return scheme.signed.includes('{timestamp}') ? headerOf(received, scheme.timestamp) : undefined;
}
