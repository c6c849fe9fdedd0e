import { Agent, request } from 'node:http';

/** A request of a page: a `GET`, or a `POST` of a form where it has a body. */
export interface Asked {
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** How it ended: its status, the ms from when it was due to the first byte of its answer, and the bytes of the answer. */
export interface Got {
  status: number;
  ms: number;
  bytes: number;
  /** What the answer sets, as it is sent back. */
  cookie: string;
}

function ask({ url, headers, body }: Asked, agent: Agent, dueAt: number): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      const ms = performance.now() - dueAt;
      let bytes = 0;
      const cookie = (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ');
      response.on('data', (piece: Buffer) => (bytes += piece.length));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, ms, bytes, cookie }));
    });
    sent.once('error', reject).end(body);
  });
}

/** Asks once. */
export async function askOnce(asked: Asked): Promise<Got> {
  const agent = new Agent();
  const got = await ask(asked, agent, performance.now());
  agent.destroy();
  return got;
}

/** Asks at a fixed rate for a fixed time, whether or not the earlier requests are answered; times count from when each was due. */
export async function askSteadily(
  asked: Asked,
  { perSecond, forMs }: { perSecond: number; forMs: number },
): Promise<Got[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const started = performance.now();
  const all: Promise<Got>[] = [];
  const total = Math.round((perSecond * forMs) / 1000);
  while (all.length < total) {
    const dueAt = started + (all.length * 1000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueAt - performance.now())));
    all.push(ask(asked, agent, Math.min(dueAt, performance.now())));
  }
  const got = await Promise.all(all);
  agent.destroy();
  return got;
}
