import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { loadConfig } from '../../config/load.ts';
import { startDelivering } from '../../jobs/deliver/deliver.ts';
import { type ContextOptions, type DeliveryContext, openContext } from '../../src/wiring/context.ts';
import {
  hashToken,
  makeToken,
  type Scope,
  tokenBytes,
  type TokenScope,
  writeToken,
} from '../../src/core/secrets/token.ts';
import { createFigures } from '../../src/process/figures.ts';
import { createLogger } from '../../src/process/logger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { createApp } from '../../src/server/app.ts';
import { makeSignInLink } from '../../src/server/page/session.ts';
import { createReadiness } from '../../src/server/readiness.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';

/** A server of the API over an embedded ledger, with the sandbox as its service. */
export interface ApiServer {
  url: string;
  folder: string;
  context: DeliveryContext;
  /** Its service. */
  sandbox: Sandbox;
  /** Rejects once delivering has ended for good. */
  failure: Promise<never>;
  /** What it logged so far. */
  logged(): string;
  /** Makes a token with these scopes, as it is sent. */
  token(name: string, scopes: TokenScope[], expiresAt?: Date | null): Promise<string>;
  /** Signs somebody in to the pages, and returns the cookie of their session. */
  signIn(name: string, scopes: Scope[]): Promise<string>;
  /** Writes the roster of the source `staff`. */
  roster(text: string): void;
  ask(path: string, options?: Asked): Promise<Answered>;
  close(): Promise<void>;
}

/** What is asked of it. */
export interface Asked {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  token?: string;
  headers?: Record<string, string>;
  body?: string | Buffer | object;
}

/** What it answered. */
export interface Answered {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: ReturnType<typeof JSON.parse>;
}

const settings = `
sources:
  staff:
    file: ./staff.csv
    settle: 1ms
    members: { firstname: firstname, lastname: lastname, email: email }
    groups: [{ column: groups, split: ";" }]
`;

/** Starts it on a free port of loopback; `rate` is in calls a second. With `servers` ledger and queue are there. */
export async function startApiServer(
  more = '',
  {
    rate = 500,
    servers,
    openEmbedded,
  }: {
    rate?: number;
    servers?: { databaseUrl: string; redisUrl: string };
    openEmbedded?: NonNullable<ContextOptions['openEmbedded']>;
  } = {},
): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-api-'));
  const sandbox = await startSandbox();
  writeFileSync(join(folder, 'roster-sync.yaml'), settings + more);
  let logged = '';
  const log = createLogger({ stream: { write: (line) => (logged += line) } });
  const config = loadConfig({
    cwd: folder,
    environment: {
      ROSTER_SYNC_BASE_URL: sandbox.url,
      ROSTER_SYNC_TOKEN: sandbox.token,
      ROSTER_SYNC__DELIVERY__RATE__LIMIT: String(rate),
      ...(servers && { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl }),
    },
  });
  if (!servers) await copyEmptyDataDirectory(config.dataDir);
  const umask = process.umask();
  const opened = await openContext({
    config,
    log,
    command: 'serve',
    create: true,
    ...(openEmbedded && { openEmbedded }),
    figures: createFigures({ version: '1.2.3', mode: servers ? 'production' : 'embedded' }),
  });
  process.umask(umask);
  const context = await opened.openDelivery(config.delivery.rate);
  const deliverer = startDelivering(context, { concurrency: 5 });
  const app = await createApp({
    context,
    host: '127.0.0.1',
    poke: () => deliverer.poke(),
    notReady: servers
      ? createReadiness([
          { name: 'ledger', ask: context.ledger.ledgerId },
          { name: 'queue', ask: context.queue.size },
        ])
      : () => Promise.resolve([]),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    ...{ url, folder, context, sandbox, failure: deliverer.failure },
    logged: () => logged,
    async token(name, scopes, expiresAt = null) {
      const parts = makeToken(randomBytes(tokenBytes));
      await context.ledger.addToken({ id: parts.id, name, hash: hashToken(parts.secret), scopes, expiresAt });
      return writeToken(parts);
    },
    async signIn(name, scopes) {
      const link = await ask(url + (await makeSignInLink(context.ledger, name, scopes)));
      return String(link.headers['set-cookie']).split(';')[0] ?? '';
    },
    roster: (text) => writeFileSync(join(folder, 'staff.csv'), text),
    ask: (path, options) => ask(url + path, options),
    async close() {
      await Promise.all([app.close(), deliverer.stop()]);
      await context.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function ask(url: string, { method = 'GET', token, headers = {}, body }: Asked = {}): Promise<Answered> {
  const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
  const answer = await request(url, {
    method,
    headers: {
      ...(isJson && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  });
  const text = await answer.body.text();
  const isJsonAnswer = String(answer.headers['content-type']).includes('json');
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text,
    json: isJsonAnswer && text !== '' ? JSON.parse(text) : undefined,
  };
}
