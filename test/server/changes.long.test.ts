import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { suite, test } from 'node:test';
import { startApiServer } from './api-server.ts';

suite('the stream of changes', () => {
  test('lasts longer than a body may take to arrive, and ends when it said it would', async () => {
    const server = await startApiServer();
    try {
      const token = await server.token('reader', ['read']);
      const began = performance.now();
      const request = get(`${server.url}/api/v1/changes?seconds=25`, { headers: { authorization: `Bearer ${token}` } });
      const [stream] = (await once(request, 'response')) as [IncomingMessage];
      let text = '';
      stream.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      await once(stream, 'end');
      assert.ok(performance.now() - began >= 24_000);
      assert.match(text, /: still here\n\n/);
    } finally {
      await server.close();
    }
  });
});
