import { createHmac } from 'node:crypto';
import { Secret } from '../../../../src/core/secrets/secret.ts';
import {
  readBody,
  isPingText,
  verificationToken,
  type EventShape,
  readEvent,
} from '../../../../src/core/webhooks/event.ts';
import { settleWebhook } from '../../../../src/core/webhooks/webhook.ts';
import { webhookPresets, type Scheme, type SignatureScheme } from '../../../../src/core/webhooks/scheme.ts';
import { verify } from '../../../../src/server/hooks/verify.ts';
import { type FuzzTarget, never } from '../target.ts';

const presets = Object.values(webhookPresets());
const own: EventShape = { kind: ['type'], employees: ['data.id'], people: { at: 'data.employees' }, kinds: ['h*d'] };
const people = [{ id: 7, fields: { first: 'Ann' }, action: 'Updated' }];

function readEvents(bytes: Buffer): void {
  for (const form of ['json', 'form'] as const) {
    const body = readBody(bytes, form);
    if (body === undefined) continue;
    isPingText(body);
    verificationToken(body);
    for (const shape of [own, ...presets.map((preset): EventShape => preset.shape)]) {
      const event = readEvent(shape, { headers: {}, body: bytes }, { body, hasMapping: true });
      never(`the key of an event has ${event.key.length} characters`, event.key === '' || event.key.length > 220);
      never('the kind of an event is too long', event.kind.length > 100);
      never('an event is about nobody, and says so', event.employees?.length === 0 || event.people?.length === 0);
    }
  }
}

const secret = `whsec_${Buffer.from('a secret that nobody knows, 32 b').toString('base64')}`;
const secrets = [new Secret('another secret of this source'), new Secret(secret)];
const settled = settleWebhook({ preset: 'bearer', quiet: 1, longest: 1 });
const now = new Date('2026-01-02T03:04:05Z');
const seconds = String(now.getTime() / 1000);
const body = Buffer.from('{"type":"hired"}');
const cut = '\n\n';

/** Headers, an empty line, the body: as HTTP has them. */
function received(text: Buffer) {
  const [head = '', ...rest] = text.toString('latin1').split(cut);
  const lines = head.split('\n').map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, Math.max(0, at)).trim().toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return {
    headers: Object.fromEntries(lines),
    body: Buffer.from(rest.join(cut), 'latin1'),
    pathSecret: lines[0]?.[1] ?? '',
  };
}

/** The headers of a preset, with a signature of another key. */
function headersOf(scheme: Scheme): string {
  if (scheme.by === 'bearer') return 'authorization: Bearer abc';
  if (scheme.by === 'path') return 'path: abc';
  const forged = (encoding: 'hex' | 'base64' | 'base64url') => createHmac('sha256', 'no').update(body).digest(encoding);
  if (scheme.by === 'standard') {
    const names = scheme.headers;
    return `${names}-id: e1\n${names}-timestamp: ${seconds}\n${names}-signature: v1,${forged('base64')}`;
  }
  const { header, prefix, timestamp, id, encoding }: SignatureScheme = scheme;
  return [
    `${header}: ${prefix}${forged(encoding)}`,
    ...(timestamp === undefined ? [] : [`${timestamp}: ${seconds}`]),
    ...(id === undefined ? [] : [`${id}: e1`]),
  ].join('\n');
}

/** Events and the proofs that they are their sender's. */
export const webhooks: FuzzTarget[] = [
  {
    name: 'webhooks',
    good: [
      JSON.stringify({ id: 'e1', type: 'hired', data: { id: 7, employees: people, employeeId: '9' } }),
      JSON.stringify({ employees: people, event_type: 'x', hook: { event: 'y' }, verification_token: 'abc' }),
      'id=e1&data[fields][0]=first&data[fields][1]=last',
    ].map((text) => Buffer.from(text)),
    words: [
      '[',
      ']',
      '&',
      '=',
      '%5B',
      '%00',
      '__proto__',
      'constructor',
      'data[',
      '][',
      '"employees":',
      '"type":',
      '[['.repeat(6),
    ],
    form: 'json',
    read: readEvents,
  },
  {
    name: 'signatures',
    good: presets.map(({ scheme }) => Buffer.from(`${headersOf(scheme)}${cut}${String(body)}`)),
    words: [
      'v1,',
      'v1,'.repeat(40),
      'sha256=',
      'sha256 ',
      ' ',
      ',',
      '=',
      '==',
      'Bearer ',
      seconds,
      '9'.repeat(13),
      '-1',
      'NaN',
      '\n',
      cut,
      'webhook-',
      'svix-',
      '\0',
      'é',
    ],
    form: 'lines',
    read: (text) => {
      const request = received(text);
      for (const { scheme } of presets) {
        const keys = scheme.by === 'standard' ? secrets.slice(1) : secrets;
        const webhook = { ...settled, scheme, secrets: keys };
        const refusal = verify(webhook, request, now);
        never(`${JSON.stringify(scheme)} believed what nobody signed`, refusal === undefined);
      }
    },
  },
];
