import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Ajv, type ValidateFunction } from 'ajv';
import { listenHttp, sendJson, type Arrival } from '../../service/local-server.ts';

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });

/** Which schema of a vendor an answer at a path has. */
const ways: { vendor: 'graph' | 'google' | 'okta'; path: RegExp; schema: string }[] = [
  { vendor: 'graph', path: /^\/v1\.0\/users$/, schema: 'users' },
  { vendor: 'graph', path: /^\/v1\.0\/groups$/, schema: 'groups' },
  { vendor: 'graph', path: /^\/v1\.0\/groups\/[^/]+\/transitiveMembers\/microsoft\.graph\.user$/, schema: 'members' },
  { vendor: 'google', path: /^\/admin\/directory\/v1\/users$/, schema: 'Users' },
  { vendor: 'google', path: /^\/admin\/directory\/v1\/groups$/, schema: 'Groups' },
  { vendor: 'google', path: /^\/admin\/directory\/v1\/groups\/[^/]+\/members$/, schema: 'Members' },
  { vendor: 'okta', path: /^\/api\/v1\/users$/, schema: 'Users' },
  { vendor: 'okta', path: /^\/api\/v1\/groups$/, schema: 'Groups' },
  { vendor: 'okta', path: /^\/api\/v1\/groups\/[^/]+\/users$/, schema: 'Users' },
];

const compiled = new Map<string, ValidateFunction>();

function validatorOf(vendor: string, schema: string): ValidateFunction {
  const known = compiled.get(`${vendor} ${schema}`);
  if (known) return known;
  const file = join(import.meta.dirname, '../../fixtures/vendors', `${vendor}.json`);
  const description = JSON.parse(readFileSync(file, 'utf8')) as object;
  const validate = ajv.compile({ ...description, $ref: `#/definitions/${schema}` });
  compiled.set(`${vendor} ${schema}`, validate);
  return validate;
}

/**
 * What is wrong with an answer by the public description of the API that has this path, a line each; nothing where
 * all is right. Undefined for a path of none of them.
 */
export function wrongIn(path: string, status: number, body: unknown): string[] | undefined {
  const way = ways.find((one) => one.path.test(path));
  if (!way) return undefined;
  const validate = validatorOf(way.vendor, status < 400 ? way.schema : 'error');
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `${way.vendor} ${path} ${instancePath} ${message} ${JSON.stringify(params)}`;
  });
}

/** An answer with its status and headers. */
export type Reply = { status?: number; headers?: Record<string, string>; body: unknown };
/** What answers at a path. */
export type Handler = (arrival: Arrival, query: URLSearchParams, base: string) => Reply | object;

const isReply = (answer: object): answer is Reply => 'body' in answer;

/**
 * A server with a handler for each path; a token is given for any statement or secret, and checked afterwards. What it
 * answers must be as the vendor describes it, unless it is `strange`.
 */
export async function directory(
  t: TestContext,
  routes: Record<string, Handler>,
  { isStrange = false }: { isStrange?: boolean } = {},
) {
  const wrong: string[] = [];
  const { base, arrivals } = await listenHttp(t, (response, arrival) => {
    const { pathname, searchParams } = new URL(arrival.path, 'http://127.0.0.1');
    const handler = routes[pathname];
    if (!handler) return sendJson(response, { error: { message: `nothing at ${arrival.path}` } }, 404);
    const answer = handler(arrival, searchParams, `http://${arrival.headers.host}`);
    const { status = 200, headers = {}, body } = isReply(answer) ? answer : { body: answer };
    if (!isStrange) wrong.push(...(wrongIn(pathname, status, body) ?? []));
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    sendJson(response, body, status);
  });
  t.after(() => {
    if (wrong.length > 0) throw new Error(`answers that the vendor would not give:\n${wrong.join('\n')}`);
  });
  const asked = (path: string) => arrivals.filter((one) => one.path.startsWith(path));
  return { base, arrivals, asked };
}
