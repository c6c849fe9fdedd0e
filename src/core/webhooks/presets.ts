// How the events of each known HR system are verified and read.
import type { EventShape } from './event.ts';
import type { Scheme, SignatureScheme } from './scheme.ts';

/** How the events of one HR system are verified and read. */
export interface WebhookPreset {
  /** The system, for people. */
  title: string;
  scheme: Scheme;
  shape: EventShape;
  /** What is answered although nobody has proved anything, because the system asks for it; nothing is kept of it. */
  greeting?: 'ping-text' | 'verification-token';
  /** What is not known about it, or differs from what you would expect; a sentence each. */
  notes: readonly string[];
}

const minute = 60_000;
const hour = 60 * minute;

const hmac: Omit<SignatureScheme, 'header'> = {
  by: 'signature',
  prefix: '',
  algorithm: 'sha256',
  encoding: 'hex',
  key: 'text',
  signed: '{body}',
};

/**
 * Every preset by its name. Where each comes from: the documentation of the systems, and working code of others; what
 * only one of both says, or nobody, is in its notes.
 */
export const webhookPresets = {
  /** documentation.bamboohr.com, "Webhooks"; the order of what is signed from the sample code there and in use. */
  bamboohr: {
    title: 'BambooHR',
    scheme: {
      ...hmac,
      header: 'x-bamboohr-signature',
      signed: '{body}{timestamp}',
      timestamp: 'x-bamboohr-timestamp',
      toleranceMs: 24 * hour,
    },
    shape: {
      kind: ['type', 'employees.action'],
      employees: ['data.employeeId', 'employees.id'],
      people: { at: 'employees', when: 'fields' },
    },
    notes: [
      'Its last retry comes two and a half hours after the first try, and whether it has a new time is not documented: so a day is allowed for, and replays are known by time and body.',
      'A request that is answered 4xx is never sent again.',
      'Created and deleted events of the field-based kind carry no fields: they start a run of the source.',
    ],
  },
  /** apidocs.hibob.com, "Getting started with webhooks"; events of version 2 carry ids only. */
  hibob: {
    title: 'HiBob',
    scheme: { ...hmac, header: 'bob-signature', algorithm: 'sha512', encoding: 'base64' },
    shape: { kind: ['type'], employees: ['data.employeeId'] },
    greeting: 'ping-text',
    notes: ['Whether its connection test is signed is not documented: the test is answered either way.'],
  },
  /** help.merge.dev, "Webhook security". */
  merge: {
    title: 'Merge',
    scheme: { ...hmac, header: 'x-merge-webhook-signature', encoding: 'base64url' },
    shape: { kind: ['hook.event'] },
    notes: [
      'Sources disagree about the padding of the signature: it is ignored.',
      'It has no id for an event, and `hook.id` is that of the webhook.',
    ],
  },
  /** Finch’s own library for Node: the key is Base64 without `whsec_`. */
  finch: {
    title: 'Finch',
    scheme: {
      ...hmac,
      header: 'finch-signature',
      prefix: 'v1,',
      separator: ' ',
      encoding: 'base64',
      key: 'base64',
      signed: '{id}.{timestamp}.{body}',
      timestamp: 'finch-timestamp',
      toleranceMs: 5 * minute,
      id: 'finch-event-id',
    },
    shape: { id: { header: 'finch-event-id' }, kind: ['event_type'] },
    notes: ['How often it sends an event again is not documented.'],
  },
  /** developer.deel.com, "Webhooks": the method stands before the body. */
  deel: {
    title: 'Deel',
    scheme: { ...hmac, header: 'x-deel-signature', signed: 'POST{body}' },
    shape: { id: { path: 'data.meta.tracking_id' }, kind: ['data.meta.event_type'] },
    notes: ['Ten answers in a row that are not 2xx disable the subscription.'],
  },
  /** docs.gusto.com, "Webhooks": the key is the verification token that it sends first. */
  gusto: {
    title: 'Gusto',
    scheme: { ...hmac, header: 'x-gusto-signature' },
    shape: { id: { path: 'uuid' }, kind: ['event_type'] },
    greeting: 'verification-token',
    notes: ['Older versions of its API send no `uuid`: then the body stands for it, which has a time in it.'],
  },
  /** developers.greenhouse.io, "Webhooks": one blank after `sha256`; the id in its header is not signed. */
  greenhouse: {
    title: 'Greenhouse',
    scheme: { ...hmac, header: 'signature', prefix: 'sha256 ' },
    shape: {
      kind: ['action'],
      ping: ['ping'],
      kinds: ['hire_candidate', 'candidate_hired'],
      people: { at: '', needsMapping: true },
      keepBodyAsId: true,
    },
    notes: [
      'Its e-mail address is the candidate’s private one: nobody is enrolled from an event unless `webhook.people.members` names an address.',
      'Only hires are handled.',
      'The header Greenhouse-Event-ID is not signed: replays are known by the body.',
    ],
  },
  /** workable.readme.io, and six programs that verify it. */
  workable: {
    title: 'Workable',
    scheme: { ...hmac, header: 'x-workable-signature' },
    shape: { id: { path: 'id' }, kind: ['event_type'] },
    notes: ['Whether and how often it sends an event again was not found.'],
  },
  /** github.com/standard-webhooks/standard-webhooks, the specification. */
  'standard-webhooks': {
    title: 'Standard Webhooks',
    scheme: { by: 'standard', headers: 'webhook' },
    shape: { id: { header: 'webhook-id' }, kind: ['type'] },
    notes: ['Signatures of version `v1a` (ed25519) are not looked at.'],
  },
  /** docs.svix.com: Standard Webhooks under older names of the headers. */
  svix: {
    title: 'Svix',
    scheme: { by: 'standard', headers: 'svix' },
    shape: { id: { header: 'svix-id' }, kind: ['type', 'event_type', 'eventType'] },
    notes: [],
  },
  bearer: {
    title: 'a fixed token in Authorization, such as Rippling’s',
    scheme: { by: 'bearer' },
    shape: { kind: ['event_name', 'event_type', 'type'] },
    notes: ['Nothing is signed: whoever has seen one request can make others.'],
  },
  'secret-path': {
    title: 'an address that nobody can guess, for Personio and others that sign nothing',
    scheme: { by: 'path' },
    shape: { kind: ['event_name', 'event_type', 'type'] },
    notes: [
      'No signature of Personio was found in its reference. It waits three seconds for an answer.',
      'Nothing is signed: whoever has seen the address can make events. Name the sender’s addresses in allowFrom where they are known.',
    ],
  },
} as const satisfies Record<string, WebhookPreset>;

/** The name of a preset. */
export type WebhookPresetName = keyof typeof webhookPresets;
