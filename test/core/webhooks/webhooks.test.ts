import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { WebhookPreset } from '../../../src/data/schemas.ts';
import { readBody, isPingText, verificationToken, readEvent, saysLeft } from '../../../src/core/webhooks/event.ts';
import { mayCarryPeople, settleWebhook } from '../../../src/core/webhooks/webhook.ts';
import { webhookPresets, type Received, type SignatureScheme } from '../../../src/core/webhooks/scheme.ts';
import { verifyBearer, verifyPath, verifySignature } from '../../../src/core/webhooks/verify.ts';
import { without } from '../../support/server-process.ts';

const now = new Date('2026-03-02T10:00:00Z');
const seconds = String(now.getTime() / 1000);
/** Bytes that a parser and writer of JSON would not give back: blanks, an escape, a number, a letter beyond ASCII. */
const body = Buffer.from('{"type" : "employee.updated", "name":"Zo\\u00eb Ødegård", "n": 1.0}');

/** The MAC of bytes, by another program than ours. */
function openssl(algorithm: 'sha256' | 'sha512', key: Buffer, bytes: Buffer): Buffer {
  const words = ['dgst', `-${algorithm}`, '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`, '-binary'];
  return execFileSync('openssl', words, { input: bytes });
}

function presetOf(name: string): WebhookPreset {
  const preset = webhookPresets()[name];
  assert.ok(preset, name);
  return preset;
}

interface Example {
  preset: string;
  secret: string;
  /** What that makes as a key. */
  key: Buffer;
  signed: Buffer;
  headers: (mac: Buffer) => Record<string, string>;
  algorithm?: 'sha256' | 'sha512';
  timestamp?: string;
}

const text = (key: string) => ({ secret: key, key: Buffer.from(key) });
const base64Key = Buffer.from('0123456789abcdef01234567');

/** Each preset by the words of its documentation, not by its data. */
const examples: Example[] = [
  {
    ...{ preset: 'bamboohr', ...text('bamboo-private-key') },
    signed: Buffer.concat([body, Buffer.from(seconds)]),
    headers: (mac) => ({ 'x-bamboohr-signature': mac.toString('hex'), 'x-bamboohr-timestamp': seconds }),
    timestamp: 'x-bamboohr-timestamp',
  },
  {
    ...{ preset: 'hibob', ...text('bob-secret'), algorithm: 'sha512', signed: body },
    headers: (mac) => ({ 'bob-signature': mac.toString('base64') }),
  },
  {
    ...{ preset: 'merge', ...text('merge-key-of-the-organisation'), signed: body },
    headers: (mac) => ({
      'x-merge-webhook-signature': mac.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
    }),
  },
  {
    ...{ preset: 'finch', secret: base64Key.toString('base64'), key: base64Key },
    signed: Buffer.concat([Buffer.from(`evt_1.${seconds}.`), body]),
    headers: (mac) => ({
      ...{ 'finch-event-id': 'evt_1', 'finch-timestamp': seconds },
      'finch-signature': `v1,${mac.toString('base64')}`,
    }),
    timestamp: 'finch-timestamp',
  },
  {
    ...{ preset: 'deel', ...text('deel-key'), signed: Buffer.concat([Buffer.from('POST'), body]) },
    headers: (mac) => ({ 'x-deel-signature': mac.toString('hex') }),
  },
  {
    ...{ preset: 'gusto', ...text('6590f590-3dba-495e-9bea-c361e1e2efc0'), signed: body },
    headers: (mac) => ({ 'x-gusto-signature': mac.toString('hex') }),
  },
  {
    ...{ preset: 'greenhouse', ...text('chosen by a customer, with blanks'), signed: body },
    headers: (mac) => ({ signature: `sha256 ${mac.toString('hex')}` }),
  },
  {
    ...{ preset: 'workable', ...text('workable-token'), signed: body },
    headers: (mac) => ({ 'x-workable-signature': mac.toString('hex') }),
  },
];

function schemeOf(preset: string): SignatureScheme {
  const { scheme } = presetOf(preset);
  assert.equal(scheme.by, 'signature');
  return scheme;
}

function signed({ algorithm = 'sha256', key, signed, headers }: Example): Received {
  return { headers: headers(openssl(algorithm, key, signed)), body };
}

suite('the signatures of HR systems, made by openssl', { skip: without('openssl') }, () => {
  for (const example of examples) {
    const { preset, secret, timestamp } = example;
    const check = (received: Received, secrets = [secret], at = now) =>
      verifySignature(
        schemeOf(preset),
        received,
        secrets.map((one) => new Secret(one)),
        at,
      );

    test(`${preset}: is believed, and nothing else than these very bytes is`, () => {
      const received = signed(example);
      assert.equal(check(received), undefined);
      assert.equal(check(received, [Buffer.from('another key, long enough').toString('base64')]), 'wrong', 'wrong key');
      const changed = Buffer.from(body);
      changed[3] = (changed[3] ?? 0) ^ 1;
      assert.equal(check({ ...received, body: changed }), 'wrong', 'one bit of the body');
      const parsed: unknown = JSON.parse(body.toString());
      const again = Buffer.from(JSON.stringify(parsed));
      assert.equal(check({ ...received, body: again }), 'wrong', 'the same JSON, serialised again');
      assert.equal(check({ headers: {}, body }), 'missing');
      for (const name of Object.keys(received.headers)) {
        assert.equal(
          check({ body, headers: { ...received.headers, [name]: undefined } }),
          'missing',
          `without ${name}`,
        );
        const twice = [String(received.headers[name]), String(received.headers[name])];
        assert.equal(check({ body, headers: { ...received.headers, [name]: twice } }), 'missing', `${name} twice`);
      }
    });

    test(`${preset}: while a key is changed, both are good`, () => {
      const received = signed(example);
      const other = Buffer.from('the new key of 2026-03').toString('base64');
      assert.equal(check(received, [other, secret]), undefined);
      assert.equal(check(received, [secret, other]), undefined);
      assert.equal(check(received, [other]), 'wrong');
    });

    if (timestamp === undefined) continue;
    test(`${preset}: the time of sending is signed`, () => {
      const received = signed(example);
      const later = { ...received, headers: { ...received.headers, [timestamp]: String(Number(seconds) + 1) } };
      assert.equal(check(later), 'wrong');
      const words = { ...received, headers: { ...received.headers, [timestamp]: 'yesterday' } };
      assert.equal(check(words), 'wrong');
    });
  }

  test('bamboohr: the last retry, two and a half hours later, is believed; what is older than a day is not', () => {
    const [example] = examples;
    assert.ok(example);
    const secrets = [new Secret(example.secret)];
    const after = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
    const check = (at: Date) => verifySignature(schemeOf('bamboohr'), signed(example), secrets, at);
    assert.equal(check(after(155 / 60)), undefined);
    assert.equal(check(after(24)), undefined);
    assert.equal(check(new Date(after(24).getTime() + 1)), 'late');
    assert.equal(check(after(25)), 'late');
    assert.equal(check(after(-25)), 'late');
  });

  test('finch: five minutes are the most', () => {
    const example = examples.find(({ preset }) => preset === 'finch');
    assert.ok(example);
    const check = (ms: number) =>
      verifySignature(schemeOf('finch'), signed(example), [new Secret(example.secret)], new Date(now.getTime() + ms));
    assert.equal(check(300_000), undefined);
    assert.equal(check(-300_000), undefined);
    assert.equal(check(300_001), 'late');
    assert.equal(check(301_000), 'late');
    assert.equal(check(-301_000), 'late');
  });

  test('merge: the padding does not matter, the alphabet does', () => {
    const example = examples.find(({ preset }) => preset === 'merge');
    assert.ok(example);
    const mac = openssl('sha256', example.key, body);
    const check = (signature: string) =>
      verifySignature(
        schemeOf('merge'),
        { headers: { 'x-merge-webhook-signature': signature }, body },
        [new Secret(example.secret)],
        now,
      );
    assert.equal(check(mac.toString('base64url')), undefined);
    assert.equal(check(`${mac.toString('base64url')}=`), undefined);
    assert.equal(check(mac.toString('hex')), 'wrong');
  });

  test('of several signatures in one header, one that is right is enough', () => {
    const example = examples.find(({ preset }) => preset === 'finch');
    assert.ok(example);
    const received = signed(example);
    const right = String(received.headers['finch-signature']);
    const check = (signature: string) =>
      verifySignature(
        schemeOf('finch'),
        { ...received, headers: { ...received.headers, 'finch-signature': signature } },
        [new Secret(example.secret)],
        now,
      );
    assert.equal(check(`v1,${Buffer.from('old').toString('base64')} ${right}`), undefined);
    const many = (count: number): string => `${'v1,AAAA '.repeat(count)}${right}`;
    assert.equal(check(many(19)), undefined, 'the twentieth');
    assert.equal(check(many(20)), 'wrong', 'beyond the twentieth');
    assert.equal(check(`v1a,${right.slice(3)}`), 'missing', 'of another version');
    assert.equal(check(right.slice(3)), 'missing', 'without its prefix');
  });

  test('a scheme of the config has all knobs', () => {
    const { scheme } = settleWebhook({
      scheme: {
        ...{ header: 'x-zen-signature', prefix: '', algorithm: 'sha256', encoding: 'base64', key: 'text' },
        ...{ signed: '{timestamp}{body}', timestamp: 'x-zen-timestamp', tolerance: 60_000 },
      },
      secret: new Secret('zen'),
      ...{ quiet: 1, longest: 1 },
    });
    assert.equal(scheme.by, 'signature');
    const mac = openssl('sha256', Buffer.from('zen'), Buffer.concat([Buffer.from(seconds), body])).toString('base64');
    const headers = { 'x-zen-signature': mac, 'x-zen-timestamp': seconds };
    const check = (at: Date) => verifySignature(scheme, { headers, body }, [new Secret('zen')], at);
    assert.equal(check(now), undefined);
    assert.equal(check(new Date(now.getTime() + 61_000)), 'late');
  });

  test('bytes that are no text are signed as they are', () => {
    const bytes = Buffer.from([0xff, 0x00, 0x7b, 0xc3, 0x28]);
    const mac = openssl('sha256', Buffer.from('k'), Buffer.concat([Buffer.from('POST'), bytes])).toString('hex');
    const received = { headers: { 'x-deel-signature': mac.toUpperCase() }, body: bytes };
    assert.equal(verifySignature(schemeOf('deel'), received, [new Secret('k')], now), undefined);
  });
});

const vectors = new URL('../../../../shared/data/webhook-vectors/', import.meta.url);
const skip = existsSync(vectors) ? false : 'the vectors of others are not here';

suite('vectors of others', { skip }, () => {
  test('finch: the one of its own library is believed', () => {
    const vector = JSON.parse(readFileSync(new URL('finch.json', vectors), 'utf8')) as {
      secret: string;
      headers: Record<string, string>;
      body: string;
    };
    const at = new Date(Number(vector.headers['finch-timestamp']) * 1000);
    const check = (bytes: string) =>
      verifySignature(
        schemeOf('finch'),
        { headers: vector.headers, body: Buffer.from(bytes) },
        [new Secret(vector.secret)],
        at,
      );
    assert.equal(check(vector.body), undefined);
    assert.equal(check(`${vector.body} `), 'wrong');
  });

  const read = (name: string, form: 'json' | 'form' = 'json') => {
    const bytes = readFileSync(new URL(name, vectors));
    // The documentation writes a form with a field on each line.
    const sent = form === 'form' ? Buffer.from(bytes.toString().trim().replaceAll('\n', '&')) : bytes;
    return { bytes: sent, body: readBody(sent, form) };
  };
  const eventOf = (preset: string, name: string, form?: 'form') => {
    const { bytes, body } = read(name, form);
    return readEvent(presetOf(preset).shape, { headers: {}, body: bytes }, { body, hasMapping: false });
  };

  test('the shapes of events are understood', () => {
    const bamboo = eventOf('bamboohr', 'bamboohr.event-based.json');
    assert.deepEqual([bamboo.kind, bamboo.employees, bamboo.people], ['employee.updated', ['67890'], undefined]);
    const form = eventOf('bamboohr', 'bamboohr.event-based.form.txt', 'form');
    assert.deepEqual([form.kind, form.employees], ['employee.updated', ['67890']]);
    const bob = eventOf('hibob', 'hibob.v2.employee.updated.json');
    assert.deepEqual([bob.kind, bob.employees], ['employee.updated', ['3332883854254932743']]);
    const gusto = eventOf('gusto', 'gusto.event.json');
    assert.deepEqual([gusto.kind, gusto.key], ['company.provisioned', 'id:f7397a24-57ad-4fae-b011-d258e8232900']);
    assert.equal(verificationToken(read('gusto.verification.json').body), '6590f590-3dba-495e-9bea-c361e1e2efc0');
  });
});

suite('what is no signature', () => {
  const secrets = [new Secret('a-token-of-some-length'), new Secret('another-token-of-length')];
  test('a bearer token is compared as a whole', () => {
    const check = (authorization: string) => verifyBearer({ headers: { authorization }, body }, secrets);
    assert.equal(check('Bearer a-token-of-some-length'), undefined);
    assert.equal(check('bearer another-token-of-length'), undefined);
    assert.equal(check('Bearer a-token-of-some-lengt'), 'wrong');
    assert.equal(check('Bearer a-token-of-some-length2'), 'wrong');
    assert.equal(check('Basic a-token-of-some-length'), 'missing');
    assert.equal(verifyBearer({ headers: {}, body }, secrets), 'missing');
  });
  test('a secret address is compared as a whole', () => {
    const check = (pathSecret: string) => verifyPath({ headers: {}, body, pathSecret }, secrets);
    assert.equal(check('a-token-of-some-length'), undefined);
    assert.equal(check(''), 'wrong');
    assert.equal(check('A-token-of-some-length'), 'wrong');
    assert.equal(verifyPath({ headers: {}, body }, secrets), 'missing');
  });
});

suite('what an event says', () => {
  const read = (preset: string, body: unknown, more: { hasMapping?: boolean; timestamp?: string } = {}) =>
    readEvent(
      presetOf(preset).shape,
      { headers: {}, body: Buffer.from(JSON.stringify(body)) },
      { body, hasMapping: false, ...more },
    );

  test('a field-based event of BambooHR carries people, unless it has no fields', () => {
    const employee = { id: '12', action: 'Updated', fields: { firstName: 'Ada' } };
    const event = read('bamboohr', { employees: [employee] });
    assert.deepEqual(event.people, [employee]);
    assert.deepEqual([event.kind, event.employees], ['Updated', ['12']]);
    const created = read('bamboohr', { employees: [{ ...employee, action: 'Created', fields: {} }] });
    assert.equal(created.people, undefined);
    assert.deepEqual(created.employees, ['12']);
    const both = read('bamboohr', { employees: [employee, { id: '13', action: 'Deleted', fields: {} }] });
    assert.deepEqual(
      [both.kind, both.people],
      ['Deleted', []],
      'a person without fields is not lost: the source is read',
    );
  });

  test('an event about several people is of the kind that asks for the most care', () => {
    const kindOf = (kinds: string[] | undefined, ...actions: string[]) => {
      const employees = actions.map((action, at) => ({ id: `${at}`, action, fields: { firstName: 'Ada' } }));
      const { shape } = presetOf('bamboohr');
      const body = { employees };
      const bytes = Buffer.from(JSON.stringify(body));
      const given = { body, hasMapping: false };
      const event = readEvent({ ...shape, ...(kinds && { kinds }) }, { headers: {}, body: bytes }, given);
      return [event.use, event.kind];
    };
    assert.deepEqual(kindOf(undefined, 'Updated', 'Deleted', 'Created'), ['run', 'Deleted']);
    assert.deepEqual(kindOf(['Created'], 'Updated', 'Created'), ['run', 'Created']);
    assert.deepEqual(kindOf(['Created'], 'Deleted', 'Created'), ['run', 'Deleted']);
    assert.deepEqual(kindOf(['Created'], 'Updated', 'Deleted'), ['ignored', 'Deleted']);
  });

  test('a hire of Greenhouse carries somebody only where the config names an address, and other news is none', () => {
    const hired = { action: 'hire_candidate', payload: { application: { candidate: { first_name: 'Ada' } } } };
    assert.equal(read('greenhouse', hired).people, undefined);
    assert.deepEqual(read('greenhouse', hired, { hasMapping: true }).people, [hired]);
    assert.equal(read('greenhouse', { ...hired, action: 'update_candidate' }, { hasMapping: true }).use, 'ignored');
    assert.equal(read('greenhouse', { action: 'ping' }).use, 'ping');
  });

  test('an event is known by its id, by time and words, or by its words: as long as it waits, or for good if it carries people', () => {
    const about = (event: object, more = {}) => read('bamboohr', event, more).key;
    assert.equal(about({ a: 1 }, { timestamp: '5' }), about({ a: 1 }, { timestamp: '5' }));
    assert.notEqual(about({ a: 1 }, { timestamp: '5' }), about({ a: 1 }, { timestamp: '6' }));
    assert.match(read('merge', { a: 1 }).key, /^body:[0-9a-f]{64}$/);
    assert.match(read('greenhouse', { a: 1 }).key, /^body:[0-9a-f]{64}$/);
    assert.match(read('greenhouse', { a: 1 }, { hasMapping: true }).key, /^words:[0-9a-f]{64}$/, 'it carries somebody');
    assert.equal(read('deel', { data: { meta: { tracking_id: 't-1' } } }).key, 'id:t-1');
    assert.match(read('deel', { data: { meta: { tracking_id: 't'.repeat(9999) } } }).key, /^id:[0-9a-f]{64}$/);
  });

  test('the kind and the id of an event are cut or hashed where they are longer than anybody writes them', () => {
    assert.equal(read('merge', { hook: { event: 'e'.repeat(101) } }).kind, 'e'.repeat(100));
    const id = (length: number): string => read('deel', { data: { meta: { tracking_id: 't'.repeat(length) } } }).key;
    assert.equal(id(200), `id:${'t'.repeat(200)}`);
    assert.match(id(201), /^id:[0-9a-f]{64}$/);
    assert.match(read('deel', { data: { meta: { tracking_id: '' } } }).key, /^body:/);
    assert.equal(read('deel', { data: { meta: { tracking_id: 0 } } }).key, 'id:0');
    assert.equal(read('merge', {}).kind, '');
  });

  test('an event is for a run unless it is a ping, or of a kind that does not matter', () => {
    const use = (kinds: string[] | undefined, kind: string) => {
      const shape = { kind: ['type'], ...(kinds && { kinds }) };
      const body = { type: kind };
      return readEvent(shape, { headers: {}, body: Buffer.from('{}') }, { body, hasMapping: false }).use;
    };
    assert.deepEqual([use(undefined, 'x'), use(['a.*', 'b'], 'a.1'), use(['a.*', 'b'], 'b')], ['run', 'run', 'run']);
    assert.deepEqual([use(['a.*', 'b'], 'c'), use([], 'a')], ['ignored', 'ignored']);
  });

  test('an event says that somebody leaves by its kind, unless that kind is asked for', () => {
    for (const kind of [
      ...['employee.terminated', 'EMPLOYEE_DELETED', 'offer.declined', 'employee.left', 'Offboarding', 'employeeLeft'],
      ...[
        'Terminate Employee: Ann Ek',
        'user_exit',
        'userExit',
        'EmploymentEnded',
        'employee.OffBoarded',
        'userDeActivated',
        'employee.fired',
        'employee.became_inactive',
        'candidate_unhired',
        'employee.not_joining',
        'user.locked',
        'Layoff - Ann',
        'Kündigung: Ann Ek',
      ],
      ...['Sortie: Ann', 'Baja: Ann', 'Licenziamento (Ann)', 'Ontslag: Ann', 'Uppsägning - Ann', '離職：田中'],
    ]) {
      assert.equal(saysLeft(kind), true, kind);
      assert.equal(saysLeft(kind, [kind]), false, kind);
      assert.equal(saysLeft(kind, ['*']), true, kind);
      const body = { type: kind, id: 1 };
      const shape = { kind: ['type'], employees: ['id'] };
      const event = readEvent(shape, { headers: {}, body: Buffer.from('{}') }, { body, hasMapping: false });
      assert.deepEqual([event.employees, event.people], [['1'], []], 'looked at at once');
    }
    assert.deepEqual(
      ['employee.*', '*.terminated', 'employee.hired'].map((pattern) => saysLeft('employee.terminated', [pattern])),
      [true, false, true],
    );
    for (const kind of [
      '',
      'employee.hired',
      'Updated',
      'cleft',
      'flexitime',
      'Leave of Absence: Ann',
      'Hire: Ann',
      'webhook.fired',
      'user.unlocked',
      'user.unblocked',
      'employee.clocked_in',
      'employee.department_changed',
      'departmentChanged',
      'timeoff.rejected',
      'employee.address.deleted',
      'retirement_plan.enrolled',
    ])
      assert.equal(saysLeft(kind), false, kind);
  });

  test('the people of an event are all that it is about, each with something in them; ids are named once', () => {
    const event = (people: unknown, shape: object) =>
      readEvent(
        { kind: ['type'], employees: ['ids'], people: { at: 'people', ...shape } },
        { headers: {}, body: Buffer.from('{}') },
        { body: { people, ids: [1, 1, '2', null] }, hasMapping: false },
      );
    assert.deepEqual(event([{ a: 1 }, { a: 2 }], {}).people, [{ a: 1 }, { a: 2 }]);
    assert.equal(event([{ a: 1 }, 'x'], {}).people, undefined);
    assert.equal(event([], {}).people, undefined);
    for (const blank of [{}, { a: '', b: ' ' }, { a: null, b: { c: [] } }])
      assert.equal(event([{ a: 1 }, blank], {}).people, undefined, JSON.stringify(blank));
    assert.deepEqual(event([{ a: 1 }], { when: 'a' }).people, [{ a: 1 }]);
    for (const nothing of [null, '', {}]) assert.equal(event([{ a: nothing }], { when: 'a' }).people, undefined);
    assert.deepEqual(event([{ a: 0 }], { when: 'a' }).people, [{ a: 0 }]);
    assert.deepEqual(event([], {}).employees, ['1', '2']);
    assert.equal('people' in event([], {}), false);
  });

  test('the config takes precedence over its preset, and a scheme of its own has an id of its own', () => {
    const times = { quiet: 3, longest: 5 };
    const settled = settleWebhook({
      ...{ preset: 'greenhouse', secret: new Secret('one'), secrets: [new Secret('two')], allowFrom: ['192.0.2.1'] },
      ...{ kinds: ['x'], event: { id: 'i', kind: 'k', employees: 'e', people: '.' }, ...times },
    });
    assert.deepEqual(
      settled.secrets.map((secret) => secret.reveal()),
      ['one', 'two'],
    );
    assert.deepEqual([settled.quietMs, settled.longestMs, settled.allowFrom], [3, 5, ['192.0.2.1']]);
    assert.deepEqual(settled.shape, {
      ...{ ping: ['ping'], kinds: ['x'], id: { path: 'i' }, kind: ['k'], employees: ['e'] },
      people: { at: '' },
    });
    const scheme = {
      header: 'x',
      prefix: '',
      algorithm: 'sha256',
      encoding: 'hex',
      key: 'text',
      signed: '{body}',
    } as const;
    const own = settleWebhook({ scheme: { ...scheme, id: 'x-id' }, event: { people: 'p' }, ...times });
    assert.deepEqual(own.shape, { kind: ['type', 'event', 'event_type'], id: { header: 'x-id' }, people: { at: 'p' } });
    assert.deepEqual(own.scheme, { by: 'signature', ...scheme, id: 'x-id' });
    assert.deepEqual([own.secrets, own.allowFrom, 'greeting' in own, 'people' in own], [[], [], false, false]);
    assert.equal(settleWebhook({ preset: 'hibob', ...times }).greeting, 'ping-text');
    assert.throws(() => settleWebhook(times), /needs a preset or a scheme/);
  });

  test('people are enrolled from events only where the event has them, and the config says how they are read if it must', () => {
    const may = (preset: string, people?: object) =>
      mayCarryPeople(settleWebhook({ preset, quiet: 1, longest: 1, ...(people && { people }) }));
    assert.deepEqual([may('bamboohr'), may('hibob'), may('greenhouse')], [true, false, false]);
    assert.deepEqual([may('greenhouse', {}), may('greenhouse', { members: {} })], [false, true]);
  });

  test('greetings are these words and no others', () => {
    assert.ok(!isPingText('ping test') && !isPingText({ word: 'Ping test' }));
    const token = (text: string) => verificationToken({ verification_token: text });
    assert.deepEqual(
      [15, 16, 200, 201].map((length) => token('x'.repeat(length)) !== undefined),
      [false, true, true, false],
    );
    assert.equal(verificationToken({ token: 'x'.repeat(20) }), undefined);
    assert.ok(isPingText('Ping test'));
    assert.ok(isPingText({ text: 'Ping test' }));
    assert.ok(!isPingText({ text: 'Ping test', type: 'employee.updated' }));
    assert.equal(verificationToken({ verification_token: 'x'.repeat(20), more: 1 }), undefined);
    assert.equal(verificationToken({ verification_token: '../../etc/passwd/and/more' }), undefined);
  });
});

suite('bodies', () => {
  test('forms become objects with only keys of their own', () => {
    const read = (form: string) => readBody(Buffer.from(form), 'form');
    assert.deepEqual(read('event_name=EmployeeHired&company_id=1'), { event_name: 'EmployeeHired', company_id: '1' });
    assert.deepEqual(read('employees[12][First+name]=John&employees[12][changedFields][0]=a'), {
      employees: { 12: { 'First name': 'John', changedFields: { 0: 'a' } } },
    });
    const odd = read('__proto__[admin]=1&constructor=2') as object;
    assert.deepEqual(Object.keys(odd), ['__proto__', 'constructor']);
    assert.equal(({} as Record<string, unknown>)['admin'], undefined);
    assert.equal(read(''), undefined);
    assert.equal(read(`a${'[b]'.repeat(50)}=1`), undefined);
    assert.notEqual(read(`a${'[b]'.repeat(9)}=1`), undefined, 'ten parts');
    assert.equal(read(`a${'[b]'.repeat(10)}=1`), undefined, 'eleven parts');
    assert.equal(Object.keys(read('a=1&'.repeat(20_000)) as object).length, 1);
    assert.equal(read('a=1&'.repeat(20_001)), undefined);
    assert.deepEqual(read('a=1&a=2&b[=3&[c]=4&d[]=5'), { a: '2', 'b[': '3', '[c]': '4', d: { '': '5' } });
    assert.deepEqual(read('a=1&a[b]=2'), { a: { b: '2' } });
    assert.deepEqual(read('a[b]=2&a=1'), { a: '1' });
    const json = (bytes: number[] | string) => readBody(Buffer.from(bytes as string), 'json');
    assert.deepEqual([json('[1]'), json('[1'), json([0x22, 0xff, 0x22])], [[1], undefined, undefined]);
  });

  test('whatever the bytes, reading them throws nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.constantFrom('json', 'form'), (bytes, form) => {
        const body = readBody(bytes, form);
        for (const { shape } of Object.values(webhookPresets())) {
          const event = readEvent(shape, { headers: {}, body: bytes }, { body, hasMapping: true });
          assert.ok(event.key.length > 0);
        }
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        for (const { shape } of Object.values(webhookPresets())) {
          const bytes = Buffer.from(JSON.stringify(body));
          const { kind } = readEvent(shape, { headers: {}, body: bytes }, { body, hasMapping: true });
          assert.ok(kind.length <= 100);
        }
      }),
    );
  });
});
