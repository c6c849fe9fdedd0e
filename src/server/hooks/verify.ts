// Verifies a webhook request: by the address of its sender, and by its scheme.
import { BlockList, isIP } from 'node:net';
import { WebhookVerificationError, Webhook as StandardWebhook } from 'standardwebhooks';
import type { Secret } from '../../core/secrets/secret.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { headerOf, type Received, type Refusal } from '../../core/webhooks/scheme.ts';
import { verifyBearer, verifyPath, verifySignature } from '../../core/webhooks/verify.ts';

/** Returns why it is not believed, if it is not. `now`: Standard Webhooks go by the clock of this machine instead. */
export function verify({ scheme, secrets }: Webhook, received: Received, now: Date): Refusal | undefined {
  switch (scheme.by) {
    case 'signature':
      return verifySignature(scheme, received, secrets, now);
    case 'standard':
      return verifyStandard(scheme.headers, received, secrets);
    case 'bearer':
      return verifyBearer(received, secrets);
    case 'path':
      return verifyPath(received, secrets);
  }
}

/** Uses the library of the specification's authors. Svix uses other names for the same headers. */
function verifyStandard(
  names: 'webhook' | 'svix',
  received: Received,
  secrets: readonly Secret[],
): Refusal | undefined {
  const headers: Record<string, string> = {};
  for (const part of ['id', 'timestamp', 'signature']) {
    const value = headerOf(received, `${names}-${part}`);
    if (value === undefined) return 'missing';
    headers[`webhook-${part}`] = value;
  }
  const body = Buffer.from(received.body);
  let refusal: Refusal = 'wrong';
  for (const secret of secrets) {
    try {
      new StandardWebhook(secret.reveal()).verify(body, headers, { jsonParse: false });
      return undefined;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      if (error.message.includes('timestamp too')) refusal = 'late';
    }
  }
  return refusal;
}

const known = new WeakMap<readonly string[], BlockList>();

/** An empty list allows any. `ip` is the client's as far as it is believed: see `server.trustProxy`. */
export function isAllowed(allowFrom: readonly string[], ip: string): boolean {
  if (allowFrom.length === 0) return true;
  const list = known.get(allowFrom) ?? listOf(allowFrom);
  known.set(allowFrom, list);
  // An IPv4 client of a socket that takes both kinds.
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function listOf(allowFrom: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of allowFrom) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
