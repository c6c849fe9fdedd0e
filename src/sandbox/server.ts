// Starts and stops the sandbox's server.
import { parseJson } from '../core/attempt.ts';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cannotListen, isLoopback } from '../core/host/this-machine.ts';
import { isRecord } from '../core/rows/path.ts';
import type { Clock, Outbox } from './outbox.ts';
import { control } from './control.ts';
import { isApplied, type Fault, parseFault } from './fault.ts';
import type { FaultState } from './fault-list.ts';
import { carryOut } from './operations.ts';
import { resolveOptions, type SandboxOptions } from './options.ts';
import { type SandboxGroup, type SandboxUser, enrolMadeUpUsers } from './people.ts';
import type { SandboxCall } from './record.ts';
import { readText, type UserFields } from './message.ts';
import { render, spoil, pour, pouredFaults, transmit } from './answer.ts';
import { createWorld, type SandboxStats, statsOf, type World } from './world.ts';

/** A running sandbox: the stand-in for the service, with what it saw. */
export interface Sandbox extends AsyncDisposable {
  /** The base address for a client, without a slash at its end: `http://127.0.0.1:41873`. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** The calls recorded so far, in the order of their arrival; a live list, not a copy. */
  readonly calls: readonly SandboxCall[];
  clearCalls(): void;
  stats(): SandboxStats;
  readonly outbox: Outbox;
  readonly clock: Clock;
  users(): SandboxUser[];
  user(email: string): SandboxUser | undefined;
  groups(): SandboxGroup[];
  /** Adds or finds a user and puts them into groups by hand. */
  assign(fields: UserFields, groups: readonly string[]): SandboxUser;
  readonly faults: {
    /** Adds faults, as objects or in their text form; throws `InputError` when one cannot be read. */
    add(...faults: readonly (Fault | string)[]): void;
    clear(): void;
    list(): FaultState[];
  };
  /** Ends every connection and frees the port; a second call gives the same promise. */
  close(): Promise<void>;
}

/** Longer than any client keeps an idle connection, so that it is never this side that closes one just being used. */
const keepAliveMs = 65_000;

/** Starts a sandbox. Throws `InputError` for options that cannot be, and when the port cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const world = createWorld(resolveOptions(options));
  const { settings, record, people, faults, outbox, clock } = world;
  enrolMadeUpUsers(people, settings.users);
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  // From this machine only.
  const isControlled = isLoopback(host);
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (isControlled && path.startsWith('/_sandbox')) control(request, response, world);
    else serve(request, response, path, world);
  });
  await listen(server, settings.port, settings.host);
  const { port } = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeServer(server));
  return {
    url: `http://${host}:${port}${settings.prefix}`,
    port,
    token: settings.token,
    get calls() {
      return record.calls;
    },
    clearCalls: () => record.clear(),
    stats: () => statsOf(world),
    outbox,
    clock,
    users: () => [...people.users()],
    user: (email) => people.find(email),
    groups: () => people.groups(),
    assign: (fields, groups) => people.assign(fields, groups),
    faults: {
      add: (...added) => faults.add(...added.map(parseFault)),
      clear: () => faults.clear(),
      list: () => faults.list(),
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function serve(request: IncomingMessage, response: ServerResponse, path: string, world: World): void {
  const { record, faults, settings } = world;
  const call = record.arrive(request.method ?? '', path);
  response.on('close', () => record.end(call));
  const early = faults.beforeReading(call);
  if (early.text !== undefined) call.fault = early.text;
  const reset = (): void => {
    record.end(call);
    request.socket.resetAndDestroy();
  };
  if (early.fault) {
    later(response, early.latency, reset);
    return;
  }
  readText(request, settings.maxBodyBytes, (text) => {
    const body = text === undefined ? undefined : parseJson(text);
    record.read(call, body, emailOf(body));
    const { latency, fault, text: struck } = faults.afterReading({ path, email: call.email, groups: groupsOf(body) });
    if (struck !== undefined) call.fault = struck;
    // Carried out before the wait: a client that gives up meanwhile must take it that the insert was made.
    const reply = !fault || isApplied(fault) ? carryOut({ request, call, text, body }, world, fault) : undefined;
    later(response, latency, () => {
      if (fault?.reset) return reset();
      const { pieces } = reply ?? {};
      const poured = pouredFaults.find((body) => body === fault?.body);
      if (reply && pieces && (!fault || poured) && fault?.status === undefined) {
        call.status = reply.status;
        void pour(response, { ...reply, pieces }, poured, () => record.end(call));
        return;
      }
      if (reply && pieces) reply.body = parseJson([...pieces()].join(''));
      const authorization = request.headers.authorization ?? '';
      const rendered = !fault && reply ? render(reply) : spoil(reply, fault ?? {}, authorization, Date.now());
      call.status = rendered.status;
      transmit(response, rendered, fault?.interval ?? 100, () => record.end(call));
    });
  });
}

/** Does something after a wait, unless the client has left by then; at once when there is nothing to wait for. */
function later(response: ServerResponse, waitMs: number, then: () => void): void {
  if (waitMs === 0) return then();
  if (waitMs === Infinity) return;
  const timer = setTimeout(then, waitMs);
  response.on('close', () => clearTimeout(timer));
}

function emailOf(body: unknown): string | undefined {
  const user = isRecord(body) ? body['user'] : undefined;
  const email = isRecord(user) ? user['email'] : undefined;
  return typeof email === 'string' ? email : undefined;
}

function groupsOf(body: unknown): unknown[] | undefined {
  const groups = isRecord(body) ? body['groups'] : undefined;
  return Array.isArray(groups) ? groups : undefined;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen('the sandbox', { host, port }, cause)));
    server.listen(port, host, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
