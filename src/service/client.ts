// The client of the service: each call returns an answer, never an exception.
import type { Dispatcher } from 'undici';
import type { Answer } from '../core/call/answer.ts';
import { redactor, type Redact, type Secret } from '../core/secrets/secret.ts';
import { openConnections, type ConnectionOptions } from '../http/connections.ts';
import type { BaseUrl, Credentials } from './settings.ts';
import { exchangeAnalysis, type AnalysisOutcome } from './analysis.ts';
import {
  StoryQuestionAnalysisRequest,
  type GroupInsertRequest,
  groupInsert,
  questionAnalysis,
  type Operation,
} from './contract.ts';
import { exchange } from './exchange.ts';
import { interpret, type Interpretation } from './interpret.ts';

export interface ServiceClientOptions {
  baseUrl: BaseUrl;
  credentials: Credentials;
  /** Where they are set, for messages: `roster-sync.yaml:3`, the name of a variable. */
  setAt?: { address: string; token: string };
  /** The most calls at a time; more wait their turn, and waiting counts for their deadline. */
  concurrency: number;
  /** The total deadline of one call in ms: waiting, connecting, sending, and the whole answer. */
  timeoutMs: number;
  /** `roster-sync/<version>`. */
  userAgent: string;
  /** Where proxies are named. The client never reads `process.env`. */
  environment: ConnectionOptions['environment'];
  /** The most bytes of an answer that are read. An answer of ten thousand groups is about 1 MB. Default: 4 MiB. */
  maxResponseBytes?: number;
  /** The bounds of a question analysis, in ms: the longest silence of the service, and all of it. Default: 2 min, 1 h. */
  analysis?: { silenceMs: number; timeoutMs: number };
  /** Ms since the epoch. Default: `Date.now`. */
  now?: () => number;
}

export interface CallOptions {
  /** Stops the call: `not-sent` when nothing was written yet, else `may-have-happened`. */
  signal?: AbortSignal;
  /**
   * The latest moment, of `performance.now()`, at which the request may be written; later it is `not-sent` and `late`.
   * Making a connection may take longer than a slot of the pace lasts.
   */
  notAfter?: number;
}

/** Ten seconds, as undici itself has it; a connection that is not made by then will not be. */
const longestConnectMs = 10_000;
const defaultMaxResponseBytes = 4 * 1024 * 1024;
const defaultAnalysisLimits = { silenceMs: 2 * 60_000, timeoutMs: 60 * 60_000 };
const noSuchStory = 'roster-sync address and token check 00000000-0000-0000-0000-000000000000';

/** The service of the interface. Calls never throw for anything that happens to them: that is the `Answer`. */
export type ServiceClient = ReturnType<typeof createServiceClient>;

/** Opens a client. Throws InputError when the environment names a proxy that cannot be used. Connects when first called. */
export function createServiceClient(options: ServiceClientOptions) {
  const { baseUrl, credentials, timeoutMs } = options;
  const { url, address } = baseUrl;
  const connectTimeoutMs = Math.min(longestConnectMs, timeoutMs);
  const { concurrency: connections, environment } = options;
  const open = () => openConnections(url, { connections, connectTimeoutMs, environment });
  const first = open();
  let { dispatcher } = first;
  const prefix = url.pathname.replace(/\/$/, '');
  const maxBodyBytes = options.maxResponseBytes ?? defaultMaxResponseBytes;
  const authorization = authorizationOf(credentials, options.userAgent, first.secrets);
  const now = options.now ?? Date.now;
  let inFlight = 0;
  let closed = false;
  const idle = Promise.withResolvers<void>();

  /** What every call has in common; `perform` does it and says what it came to. */
  async function call<Outcome extends Answer | AnalysisOutcome>(
    operation: Operation,
    body: string,
    groups: readonly string[],
    perform: (request: Dispatcher.DispatchOptions, context: Interpretation & { token: Secret }) => Promise<Outcome>,
  ): Promise<Outcome | Answer> {
    if (closed) return { kind: 'not-sent', reason: `nothing was sent to ${url.host}: the client is closed` };
    const { token, headers, redact } = authorization();
    const request = { origin: url.origin, path: prefix + operation.path, method: 'POST' as const, headers, body };
    inFlight += 1;
    try {
      const { setting } = credentials;
      const where = { host: url.host, setting, setAt: options.setAt?.token ?? '' };
      const answer = await perform(request, { operation, groups, redact, now, ...where, token });
      if (answer.kind !== 'refused' || answer.response.httpStatus !== 401) return answer;
      return { ...answer, renewed: await credentials.renew(token) };
    } finally {
      ended();
    }
  }

  function ended(): void {
    inFlight -= 1;
    if (closed && inFlight === 0) idle.resolve();
  }

  async function ask(
    operation: Operation,
    body: string,
    groups: readonly string[],
    { signal, notAfter }: CallOptions = {},
  ): Promise<Answer> {
    return call(operation, body, groups, async (request, context) => {
      const ended = await exchange(dispatcher, request, { timeoutMs, maxBodyBytes, signal, notAfter });
      return interpret(ended, context);
    });
  }

  return {
    /** The normalised address, by which the ledger knows the service. */
    address,
    /** What to do where nothing answers there as the service does: `check the address, service.baseUrl (ROSTER_SYNC_BASE_URL)`. */
    checkAddress: `check the address, service.baseUrl${options.setAt ? ` (${options.setAt.address})` : ''}`,
    /**
     * Adds one person to their groups: one call. Throws RangeError for a request without groups, which is the
     * caller's mistake: where `forceSync` is on, it could throw a person out of everything.
     */
    async insertGroups(request: GroupInsertRequest, options?: CallOptions): Promise<Answer> {
      if (request.groups.length === 0) throw new RangeError('a group insert needs at least one group');
      return await ask(groupInsert, bodyOf(request), request.groups, options);
    },
    /**
     * Asks for the questions of a story that cannot exist: shows whether address and token are right, and sends and
     * changes nothing. An `accepted` answer has no results.
     */
    probe: (options?: CallOptions) => ask(questionAnalysis, JSON.stringify({ story: noSuchStory }), [], options),
    /**
     * Asks for questions and answers of stories; only what the request names is sent. What is accepted must be closed.
     * @param more `onBytes` is called with the number of bytes received
     * @throws StorageError when the answer cannot be kept
     */
    async analyse(
      request: StoryQuestionAnalysisRequest,
      more: CallOptions & { onBytes?: (bytes: number) => void } = {},
    ): Promise<AnalysisOutcome> {
      const { signal, notAfter, onBytes } = more;
      const body = JSON.stringify(StoryQuestionAnalysisRequest.parse(request));
      const bounds = options.analysis ?? defaultAnalysisLimits;
      const answer = await call<AnalysisOutcome>(questionAnalysis, body, request.groups ?? [], (sent, context) =>
        exchangeAnalysis(dispatcher, sent, { ...bounds, maxBodyBytes, signal, notAfter, onBytes }, context),
      );
      if (answer.kind === 'accepted' && !('analysis' in answer)) throw new Error('an analysis brings its answer');
      return answer;
    },
    /**
     * Makes a connection for the next call, and gives up those that are idle, which the service may close at any time; calls in
     * flight go on. Never rejects: where none can be made, the next call says why.
     */
    async connect(): Promise<void> {
      if (closed) return;
      const { dispatcher: fresh } = open();
      inFlight += 1;
      try {
        // Through a proxy a request without headers has a connection of its own.
        const headers = ['user-agent', options.userAgent];
        const nothing = { origin: url.origin, path: '/', method: 'GET' as const, headers };
        await exchange(fresh, nothing, { timeoutMs: connectTimeoutMs, maxBodyBytes: 0, notAfter: -Infinity });
        void dispatcher.close();
        dispatcher = fresh;
      } finally {
        ended();
      }
    },
    /** Lets the calls in flight end, then closes every connection. Calls that come later are `not-sent`. */
    async close(): Promise<void> {
      closed = true;
      if (inFlight === 0) idle.resolve();
      await idle.promise;
      await dispatcher.destroy();
    },
  };
}

/** Exactly the interface's fields, whatever else the request holds. */
function bodyOf({ groups, user, invite, forceSync }: GroupInsertRequest): string {
  const { firstname, lastname, email, telephone } = user;
  return JSON.stringify({ groups, user: { firstname, lastname, email, telephone }, invite, forceSync });
}

interface Authorization {
  token: Secret;
  /** Names and values in turn, as undici takes them; built once, because every call sends the same. */
  headers: string[];
  redact: Redact;
}

/** The token in use with what is made from it, made again only when it was renewed. Older tokens stay masked. */
function authorizationOf(
  credentials: Credentials,
  userAgent: string,
  otherSecrets: readonly Secret[],
): () => Authorization {
  const secrets = [...otherSecrets];
  const fixed = Object.entries({
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': userAgent,
    'accept-encoding': 'identity',
  }).flat();
  let current: Authorization | undefined;
  return () => {
    const { token } = credentials;
    if (current?.token !== token) {
      secrets.push(token);
      current = { token, headers: ['authorization', `Basic ${token.reveal()}`, ...fixed], redact: redactor(secrets) };
    }
    return current;
  };
}
