import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SMTPServer } from 'smtp-server';

/** A request as it arrived. */
export interface Heard {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What a webhook was told, as far as tests look at it. */
export interface Told {
  type: string;
  text: string;
  data: { run: string; groups: unknown; outcome: unknown; roster: unknown; commands: string[] };
}

/** Reads what a webhook was told. */
export function toldBy({ body }: Heard): Told {
  return JSON.parse(body) as Told;
}

/** A server that hears what is posted to it; `answer` says how it answers the nth request. */
export async function openHearing(
  test: TestContext,
  answer: (nth: number) => number | undefined = () => 200,
): Promise<{ url: string; heard: Heard[]; next(): Promise<Heard> }> {
  const heard: Heard[] = [];
  const waiting: ((request: Heard) => void)[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body };
      heard.push(one);
      const status = answer(heard.length);
      if (status !== undefined) response.writeHead(status).end(status === 200 ? 'ok' : `no ${request.url}`);
      waiting.shift()?.(one);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    heard,
    next: () => new Promise((resolve) => waiting.push(resolve)),
  };
}

/** A mail server that keeps what it gets. */
export async function openMailServer(
  test: TestContext,
  options: { disabledCommands?: string[] } = {},
): Promise<{ port: number; mails: { from: string; to: string[]; text: string; user: string }[] }> {
  const mails: { from: string; to: string[]; text: string; user: string }[] = [];
  const server = new SMTPServer({
    ...options,
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (password === 'right') done(null, { user: username });
      else done(new Error(`wrong password ${password}`));
    },
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody@')) done(new Error('no such mailbox'));
      else done();
    },
    onData(stream, session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : (mailFrom?.address ?? '');
        mails.push({ from, to: rcptTo.map(({ address }) => address), text, user: String(session.user ?? '') });
        done();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  test.after(() => {
    server.close();
  });
  return { port: (server.server.address() as AddressInfo).port, mails };
}
