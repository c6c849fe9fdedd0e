import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../src/core/errors.ts';
import { parseBaseUrl } from '../../src/service/settings.ts';

for (const [text, address] of [
  ['https://service.example.com', 'https://service.example.com'],
  ['https://service.example.com/', 'https://service.example.com'],
  ['  https://service.example.com/\n', 'https://service.example.com'],
  ['HTTPS://Service.Example.COM:443/', 'https://service.example.com'],
  ['https://service.example.com.', 'https://service.example.com'],
  ['https://service.example.com:8443/Api/Prefix//', 'https://service.example.com:8443/Api/Prefix'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://LOCALHOST:80/x/', 'http://localhost/x'],
  ['http://127.0.0.1:41873', 'http://127.0.0.1:41873'],
  ['http://127.3.2.1', 'http://127.3.2.1'],
  ['http://[::1]:8080/', 'http://[::1]:8080'],
  ['http://[0:0:0:0:0:0:0:1]:8080', 'http://[::1]:8080'],
] as const) {
  test(`${JSON.stringify(text)} is known as ${address}`, () => {
    const parsed = parseBaseUrl(text);
    assert.equal(parsed.address, address);
    assert.equal(parsed.url.href.replace(/\/$/, ''), address);
    assert.equal(parseBaseUrl(parsed.address).address, address, 'an address is its own address');
  });
}

for (const [text, says] of [
  ['', /empty.*service\.baseUrl/],
  ['   ', /empty/],
  ['service.example.com', /https:\/\/host/],
  ['localhost:3000', /https:\/\/host/],
  ['ftp://service.example.com', /https:\/\/host/],
  ['https://', /https:\/\/host/],
  ['https://exa mple.com', /https:\/\/host/],
  ['http://service.example.com', /service\.example\.com.*unencrypted.*https:\/\//],
  ['http://127.0.0.1.example.com', /unencrypted/],
  ['http://localhost.example.com', /unencrypted/],
  ['http://[::2]', /unencrypted/],
  ['http://128.0.0.1', /unencrypted/],
  ['https://service.example.com?x=1', /query/],
  ['https://service.example.com/#', /fragment/],
  ['https://service.example.com/v1/groups/insert', /before \/v1\//],
  ['https://service.example.com/x/v1/logs/story-question-analysis/', /before \/v1\//],
] as const) {
  test(`${JSON.stringify(text)} is refused with the next step`, () => {
    assert.throws(
      () => parseBaseUrl(text),
      (error) => error instanceof InputError && says.test(error.message),
    );
  });
}

for (const text of [
  'https://sync:hunter22@service.example.com',
  'https://sync:hunter22@service.example.com:0x/',
  'https://hunter22@service.example.com',
  'https:\\\\sync:hunter22@service.example.com',
  'https://sync:12/hunter22@service.example.com',
  'http://sync:hunter22@service.example.com/?x#y',
  'sync:hunter22@service.example.com',
]) {
  test(`credentials in ${text.replace('hunter22', '…')} are refused and never shown`, () => {
    assert.throws(
      () => parseBaseUrl(text),
      (error) =>
        error instanceof InputError &&
        /credentials.*service\.token/.test(error.message) &&
        !/hunter22|sync/.test(error.message) &&
        error.cause === undefined,
    );
  });
}
