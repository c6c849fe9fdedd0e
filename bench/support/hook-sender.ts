import { createHmac } from 'node:crypto';
import { Agent, request } from 'node:http';

/** How a request ended: its id, its status (0 without an answer), and the ms from when it was due to its answer. */
export interface Sent {
  id: string;
  status: number;
  ms: number;
}

/** The key of the webhook of the bench. */
export const hookKey = 'the-key-of-the-bench';

let number = 0;

/** Sends one event of some 300 bytes, signed as BambooHR does. */
function post(url: string, agent: Agent, dueAt: number): Promise<Sent> {
  const id = String((number += 1));
  const body = JSON.stringify({
    type: 'employee.updated',
    timestamp: new Date().toISOString(),
    data: { companyId: '12345', employeeId: id, changedFields: ['firstName', 'lastName', 'department', 'jobTitle'] },
    note: 'x'.repeat(100),
  });
  const at = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', hookKey).update(body).update(at).digest('hex');
  const headers = {
    'content-type': 'application/json',
    ...{ 'x-bamboohr-timestamp': at, 'x-bamboohr-signature': signature },
  };
  return new Promise((resolve) => {
    const end = (status: number): void => resolve({ id, status, ms: performance.now() - dueAt });
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => end(response.statusCode ?? 0));
      response.once('error', () => end(0));
    });
    sent.once('error', () => end(0)).end(body);
  });
}

/**
 * Sends events at a fixed rate for a fixed time, whether or not the earlier ones are answered. A time is counted from when an
 * event was due, so that a sender that is held up does not make the server look quick.
 */
export async function sendSteadily(
  url: string,
  { perSecond, forMs }: { perSecond: number; forMs: number },
): Promise<Sent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const started = performance.now();
  const all: Promise<Sent>[] = [];
  const total = Math.round((perSecond * forMs) / 1000);
  while (all.length < total) {
    const now = performance.now() - started;
    while (all.length < total && (all.length * 1000) / perSecond <= now) {
      all.push(post(url, agent, started + (all.length * 1000) / perSecond));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const sent = await Promise.all(all);
  agent.destroy();
  return sent;
}

/** Sends as many as so many connections can, until the time is over or `stop` says so. */
export async function sendAsFastAsPossible(
  url: string,
  { connections, forMs, onSent = () => {} }: { connections: number; forMs: number; onSent?: (sent: Sent) => void },
): Promise<Sent[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + forMs;
  const all: Sent[] = [];
  async function one(): Promise<void> {
    while (performance.now() < until) {
      const sent = await post(url, agent, performance.now());
      all.push(sent);
      onSent(sent);
      if (sent.status === 0) return;
    }
  }
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return all;
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
