import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { describeConfig } from '../../config/load.ts';
import { settleWebhook } from '../../src/core/webhooks/webhook.ts';
import type { WebhookSettings } from '../../src/core/webhooks/webhook-schema.ts';
import { failure, load } from './folder.ts';

const source = (webhook: string, more = ''): string =>
  `sources:\n  staff:\n    file: ./people.csv\n    webhook: ${webhook}\n${more}`;
const allow = '    allow: { emails: { domains: [example.com] } }\n';

describe('the webhook of a source', () => {
  it('has a preset, times, and secrets that no output shows', (t) => {
    const config = load(t, source('{ preset: bamboohr, secrets: [S3cret1, "${NEW}"], quiet: 1m }'), {
      environment: { NEW: 'S3cret2' },
    });
    const webhook = config.sources['staff']?.webhook as WebhookSettings;
    const { secrets, quietMs, longestMs, scheme } = settleWebhook(webhook);
    assert.deepEqual([quietMs, longestMs, scheme.by], [60_000, 300_000, 'signature']);
    assert.deepEqual(
      secrets.map((secret) => secret.reveal()),
      ['S3cret1', 'S3cret2'],
    );
    for (const text of [describeConfig(config), inspect(config, { depth: 9 }), JSON.stringify(config)])
      assert.doesNotMatch(text, /S3cret/);
  });

  it('may be a scheme of its own', (t) => {
    const scheme =
      '{ header: X-Hub-Signature-256, prefix: "sha256=", id: X-Id, timestamp: X-Time, signed: "{id}{timestamp}{body}" }';
    const config = load(t, source(`{ scheme: ${scheme}, secret: s, event: { people: . } }`));
    const settled = settleWebhook(config.sources['staff']?.webhook as WebhookSettings);
    assert.deepEqual(settled.scheme, {
      ...{ by: 'signature', header: 'x-hub-signature-256', prefix: 'sha256=' },
      ...{ algorithm: 'sha256', encoding: 'hex', key: 'text', signed: '{id}{timestamp}{body}' },
      ...{ id: 'x-id', timestamp: 'x-time' },
    });
    assert.deepEqual(settled.shape.id, { header: 'x-id' });
    assert.deepEqual(settled.shape.people, { at: '' });
  });

  it('that signs nothing may carry people only where their domains are named', (t) => {
    const carrying = '{ preset: bearer, secret: a-token-of-16-characters, event: { people: data } }';
    assert.match(failure(t, source(carrying)), /webhook carries people and signs nothing.*Set allow\.emails\.domains/);
    load(t, source(carrying, allow));
    load(t, source('{ preset: bearer, secret: a-token-of-16-characters }'));
  });

  it('that carries people lets nobody wait whom no later roster brings', (t) => {
    const refused = /webhook carries people, and without a place no later run sends those who wait/;
    const carrying = (people = '') => `{ preset: greenhouse, secret: s, event: { people: payload }${people} }`;
    const own = ', people: { members: { email: Mail, startDate: Start } }';
    const [first, budget] = ['    members: { startDate: Start }\n', '    invites: { perRun: 3 }\n'];
    const cases: [webhook: string, more: string][] = [
      [carrying(), first],
      [carrying(own), ''],
      [carrying(', people: { members: { email: Mail } }'), first],
      [carrying(), budget],
      [carrying(), '    invites: { perDay: 0 }\n'],
    ];
    for (const [webhook, more] of cases) {
      const withFile = source(webhook, more);
      assert.match(failure(t, withFile.replace('    file: ./people.csv\n', '')), refused);
      load(t, withFile);
    }
    load(
      t,
      source('{ preset: bearer, secret: a-token-of-16-characters }', budget).replace('    file: ./people.csv\n', ''),
    );
  });

  it('that carries people by rules of their own repeats those of a source without a roster', (t) => {
    const own = (more = '') =>
      source(
        `{ preset: greenhouse, secret: s, event: { people: payload }, people: { members: { email: Mail }${more} } }`,
        '    except: [{ column: secret, is: true }]\n',
      );
    const without = (text: string): string => text.replace('    file: ./people.csv\n', '');
    assert.match(failure(t, without(own())), /webhook\.people has rules of its own.*repeat its `except` there/);
    load(t, without(own(', except: [{ column: secret, is: true }]')));
    load(t, own());
  });

  const wrong: [webhook: string, message: RegExp][] = [
    ['{ secret: s }', /must have exactly one of preset and scheme/],
    ['{ preset: bamboohr }', /needs secret: without one anybody could send events/],
    ['{ preset: bambohr, secret: s }', /webhook\.preset must be one of bamboohr, bearer, .*, hibob/],
    ['{ preset: bamboohr, secret: s, secrets: [t] }', /only one of secret and secrets/],
    ['{ preset: bamboohr, secret: s, quiet: 10m }', /quiet that is longer than longest/],
    ['{ preset: bamboohr, secret: s, allowFrom: [10.0.0.0/99] }', /allowFrom\[0\] must be an address or a network/],
    ['{ preset: secret-path, secret: S3cret }', /at least 24 letters, digits/],
    ['{ preset: bearer, secret: S3cret }', /at least 16 characters/],
    ['{ preset: finch, secret: "not base64 S3cret" }', /needs the secret as the sender shows it/],
    ['{ scheme: { header: X-A, signed: "{timestamp}" }, secret: s }', /must have \{body\} in signed/],
    ['{ scheme: { header: X-A, signed: "{timestamp}{body}" }, secret: s }', /needs timestamp: for signed/],
    ['{ scheme: { header: X-A, id: X-Id }, secret: s }', /an id only where signed has \{id\}/],
    ['{ scheme: { header: X-A, tolerance: 5m }, secret: s }', /tolerance only for a timestamp that is signed/],
    ['{ preset: bamboohr, secret: s, event: { employees: "a..b" } }', /employees must be a path/],
  ];
  for (const [webhook, message] of wrong) {
    it(`is refused: ${webhook}`, (t) => {
      const said = failure(t, source(webhook));
      assert.match(said, message);
      assert.match(said, /roster-sync\.yaml:4/);
      assert.doesNotMatch(said, /S3cret/);
    });
  }

  it('of Gusto needs no secret yet', (t) => void load(t, source('{ preset: gusto }')));
});
