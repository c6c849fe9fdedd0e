import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { redactor, Secret } from '../src/core/secrets/secret.ts';
import { createLogger, type LoggerOptions } from '../src/process/logger.ts';

const token = Buffer.from('robot:open-sesame').toString('base64');

/** Logs through `use`, and gives back what was written. */
function written(
  use: (log: ReturnType<typeof createLogger>) => void,
  options: LoggerOptions & { isTTY?: boolean } = {},
) {
  let text = '';
  const stream = { isTTY: options.isTTY ?? false, write: (line: string) => (text += line) };
  use(createLogger({ redact: redactor([new Secret(token)]), ...options, stream }));
  return text;
}

describe('the log', () => {
  it('is one JSON object per line where there is no terminal', () => {
    const lines = written((log) => {
      log.info({ run: '7f3a' }, 'run started');
      log.warn('slow');
    })
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.map(({ level, msg, run }) => ({ level, msg, run })),
      [
        { level: 'info', msg: 'run started', run: '7f3a' },
        { level: 'warn', msg: 'slow', run: undefined },
      ],
    );
    assert.match(String(lines[0]?.['time']), /^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('is one line of text on a terminal, with the level only where it matters', () => {
    const text = written(
      (log) => {
        log.info({ run: '7f3a' }, 'run started');
        log.warn('slow');
      },
      { isTTY: true },
    );
    assert.match(text, /^\d\d:\d\d:\d\d run started run="7f3a"\n\d\d:\d\d:\d\d warn: slow\n$/);
  });

  it('says less with --quiet and more with --verbose', () => {
    const use = (log: ReturnType<typeof createLogger>): void => {
      for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level);
    };
    const count = (options: LoggerOptions): number => written(use, options).trimEnd().split('\n').length;
    assert.deepEqual([count({ quiet: true }), count({}), count({ verbose: true })], [1, 3, 4]);
  });

  for (const isTTY of [false, true]) {
    const where = isTTY ? 'on a terminal' : 'as JSON';

    it(`masks addresses wherever they stand, ${where}`, () => {
      const text = written(
        (log) => {
          log.info(
            { email: 'jane.doe@example.com', list: ['<åse@example.org>'] },
            'to "bob@example.net"\nzoe@example.io',
          );
          log.info({ url: 'https://s.example/?user=jane.doe%40example.com&x=tom+a@example.com' });
          log.error(new Error('no user kim.lee@example.com', { cause: new Error('kim.lee@example.com') }));
        },
        { isTTY },
      );
      assert.doesNotMatch(text, /ane\.doe|åse|ob@|oe@|tom|im\.lee/);
      assert.match(text, /j\*\*\*@example\.com/);
    });

    it(`never holds a secret, ${where}`, () => {
      const text = written(
        (log) => {
          log.info({ authorization: `Basic ${token}` }, `sent robot:open-sesame and ${encodeURIComponent(token)}`);
          log.error({ err: new Error(`refused ${token}`) });
        },
        { isTTY },
      );
      assert.doesNotMatch(text, /sesame/);
      assert.equal(text.includes(token.slice(0, 8)), false);
    });

    it(`escapes control and bidirectional characters, ${where}`, () => {
      const text = written((log) => log.info({ name: '\u202eevil\u001b[2J' }, 'a\u2066b\r\nc\u009b'), { isTTY });
      // oxlint-disable-next-line no-control-regex
      assert.doesNotMatch(text.trimEnd(), /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
    });
  }

  it('has its own words whatever the secrets are: keys, levels and times are never masked', () => {
    const redact = redactor(['level', 'info', 'time', 'secret', 'opqrstuv'].map((word) => new Secret(word)));
    const line = written((log) => log.info({ time: 'time', path: 'the secret-path' }, 'at\nopqrstuv it is time'), {
      redact,
    });
    const { level, path, msg } = JSON.parse(line) as Record<string, string>;
    assert.deepEqual([level, path, msg], ['info', 'the secret-path', 'at\n*** it is time']);
  });

  it('cuts what is long, and the secret that stands across the cut', () => {
    const line = written((log) => log.info({ long: `${'x'.repeat(7990)}robot:open-sesame${'y'.repeat(1e6)}` }));
    assert.ok(line.length < 9000, String(line.length));
    assert.match(line, /x\*\*\*…"/);
  });

  it('stays readable JSON whatever is logged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.emailAddress(), (text, email) => {
        const line = written((log) => log.info({ text, email }, `${text}${email}`));
        const { email: masked } = JSON.parse(line) as { email: string };
        assert.equal(line.trimEnd().includes('\n'), false);
        assert.match(masked, /\*\*\*@/);
      }),
    );
  });
});
