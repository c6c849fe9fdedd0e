import { request } from 'node:http';
import type { Sandbox } from '../../src/sandbox/index.ts';

export interface CallOptions {
  method?: string;
  /** The whole `Authorization` header; `null` sends none. */
  authorization?: string | null;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  onResponse?: () => void;
}

export interface Called {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export const insertPath = '/v1/groups/insert';
export const analysisPath = '/v1/logs/story-question-analysis';

/** One request on a connection of its own; `body` is sent as it is when it is a text, else as JSON. */
export function call(sandbox: Sandbox, path: string, body: unknown, options: CallOptions = {}): Promise<Called> {
  const { method = 'POST', authorization = `Basic ${sandbox.token}`, headers = {}, signal, onResponse } = options;
  return new Promise((resolve, reject) => {
    const sent = request(`${sandbox.url}${path}`, {
      method,
      agent: false,
      headers: {
        'content-type': 'application/json',
        ...(authorization === null ? {} : { authorization }),
        ...headers,
      },
      ...(signal ? { signal } : {}),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      onResponse?.();
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    sent.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

/** The body of a group insert for a made-up person. */
export function insertBody(email: string, groups: string[], more: Record<string, unknown> = {}): object {
  return { groups, user: { firstname: 'Ann', lastname: 'Example', email }, ...more };
}

interface GroupItem {
  group: string;
  status: string;
  inserts: number;
  warnings: number;
}

/** Inserts a made-up person and gives the result items. */
export async function insert(
  sandbox: Sandbox,
  email: string,
  groups: string[],
  more: Record<string, unknown> = {},
): Promise<GroupItem[]> {
  const { text } = await call(sandbox, insertPath, insertBody(email, groups, more));
  const envelope: { data: GroupItem[] } = JSON.parse(text);
  return envelope.data;
}

/** Waits until something the sandbox saw has come true, looking after every turn of the event loop; throws after 5 s. */
export async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!isTrue()) {
    if (performance.now() > deadline) throw new Error(`not within 5 s: ${isTrue.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
