// The schema of `webhook`: which events a source accepts, and how senders prove who they are.
import { attempt } from '../attempt.ts';
import { isIP } from 'node:net';
import { z } from 'zod';
import { EventPeople } from '../mapping/mapping-schema.ts';
import { parsePath } from '../rows/path.ts';
import { webhookPresets } from './scheme.ts';
import { anyText, duration, list, secretText, separator, text, wordOf } from '../settings/values.ts';

const presetNames = Object.keys(webhookPresets());

const header = () =>
  z
    .string({ error: 'must be the name of a header' })
    .regex(/^[A-Za-z0-9-]{1,100}$/, { error: 'must be the name of a header, such as X-Signature' })
    .toLowerCase();

const path = () =>
  text().refine((value) => attempt(() => parsePath(value)) !== undefined, {
    error: 'must be a path like data.employeeId',
  });

const Scheme = z
  .strictObject(
    {
      header: header(),
      prefix: anyText().prefault(''),
      separator: separator().exactOptional(),
      // SHA-1 and MD5 are not taken.
      algorithm: wordOf(['sha256', 'sha512']).prefault('sha256'),
      encoding: wordOf(['hex', 'base64', 'base64url']).prefault('hex'),
      /** The key is the text of the secret, or the bytes that it says in Base64. */
      key: wordOf(['text', 'base64']).prefault('text'),
      signed: text().prefault('{body}'),
      timestamp: header().exactOptional(),
      tolerance: duration().exactOptional(),
      id: header().exactOptional(),
    },
    { error: 'must be settings like { header: X-Signature, signed: "{body}" }' },
  )
  .superRefine((scheme, context) => {
    const { signed, timestamp, id, tolerance } = scheme;
    const problem = (message: string): void => context.addIssue({ code: 'custom', message });
    if (!signed.includes('{body}')) problem('must have {body} in signed: what is not signed could be anything');
    if (signed.includes('{timestamp}') && timestamp === undefined) problem('needs timestamp: for signed');
    if (signed.includes('{id}') && id === undefined) problem('needs id: for signed');
    if (id !== undefined && !signed.includes('{id}'))
      problem('can have an id only where signed has {id}: anybody could send an event again under another');
    if (tolerance !== undefined && !signed.includes('{timestamp}'))
      problem('can have a tolerance only for a timestamp that is signed');
  });

const Event = z.strictObject(
  {
    id: path().exactOptional(),
    kind: path().exactOptional(),
    employees: path().exactOptional(),
    people: z.union([z.literal('.'), path()], { error: 'must be a path like data.employee, or "."' }).exactOptional(),
  },
  { error: 'must be paths like { kind: type }' },
);

const network = () =>
  text().refine(isNetwork, { error: 'must be an address or a network like 203.0.113.7 or 203.0.113.0/24' });

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** The fewest characters of an address that nobody can guess. */
const leastOfPath = 24;

const Settings = z.strictObject(
  {
    preset: wordOf(presetNames)
      .exactOptional()
      .describe(
        `How the sender signs: \`${presetNames.join('`, `')}\`; see docs/webhooks.md. Instead of it: \`scheme\`.`,
      ),
    scheme: Scheme.exactOptional(),
    secret: secretText().exactOptional(),
    secrets: list(secretText(), 'texts').exactOptional().meta({ secret: 'all' }),
    allowFrom: list(network(), 'addresses').exactOptional(),
    quiet: duration().prefault('30s'),
    longest: duration().prefault('5m'),
    kinds: list(text(), 'kinds').exactOptional(),
    event: Event.exactOptional(),
    people: EventPeople.exactOptional(),
  },
  { error: 'must be settings like { preset: bamboohr, secret: ${BAMBOO_WEBHOOK_SECRET} }' },
);

/** What a config says about the events of a source. Times are in ms. */
export type WebhookSettings = z.output<typeof Settings>;

export const WebhookConfig = Settings.superRefine(check);

function check(webhook: WebhookSettings, context: z.RefinementCtx): void {
  const { preset, scheme, secret, secrets, quiet, longest } = webhook;
  const problem = (message: string): void => context.addIssue({ code: 'custom', message });
  if ((preset === undefined) === (scheme === undefined)) problem('must have exactly one of preset and scheme');
  if (secret && secrets) problem('must have only one of secret and secrets');
  if (quiet > longest) problem('must not have a quiet that is longer than longest');
  const given = [...(secret ? [secret] : []), ...(secrets ?? [])].map((one) => one.reveal());
  const known = preset === undefined ? undefined : webhookPresets()[preset];
  // Gusto tells its secret by way of the webhook itself.
  if (given.length === 0 && known?.greeting !== 'verification-token')
    problem('needs secret: without one anybody could send events');
  const kind = known?.scheme;
  if (kind?.by === 'path' && !given.every((one) => new RegExp(`^[\\w-]{${leastOfPath},200}$`).test(one)))
    problem(`needs a secret of at least ${leastOfPath} letters, digits, - and _: it is the last part of the address`);
  if (kind?.by === 'bearer' && !given.every((one) => /^\S{16,}$/.test(one)))
    problem('needs a secret of at least 16 characters without blanks');
  const isBase64 = kind?.by === 'standard' || (kind?.by === 'signature' ? kind.key : scheme?.key) === 'base64';
  if (isBase64 && !given.every((one) => /^(whsec_)?[A-Za-z0-9+/]{16,}={0,2}$/.test(one)))
    problem('needs the secret as the sender shows it, in Base64');
}
