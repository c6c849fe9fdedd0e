import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { connect, expectKind, listenHttp, request, success } from './local-server.ts';

const packers = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };

for (const [encoding, pack] of Object.entries(packers)) {
  test(`an answer that comes as ${encoding}, though identity was asked for, is read`, async (t) => {
    const body = pack(JSON.stringify(success));
    const { base, arrivals } = await listenHttp(t, (response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body),
    );
    expectKind(await (await connect(t, base)).insertGroups(request), 'accepted');
    assert.equal(arrivals[0]?.headers['accept-encoding'], 'identity');
  });

  test(`answers of stories that come as ${encoding} are read, however long`, async (t) => {
    const story = { uuid: 's', name: 'n'.repeat(300_000), questions: [] };
    const body = pack(JSON.stringify({ status: 'success', data: [], note: story.name }));
    const { base } = await listenHttp(t, (response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    );
    const outcome = await (await connect(t, base)).analyse({});
    assert.equal(outcome.kind, 'accepted', JSON.stringify(outcome));
    if (outcome.kind === 'accepted') await outcome.analysis.close();
  });

  test(`a small ${encoding} that would fill the memory is not unpacked beyond the limit`, async (t) => {
    const body = pack(Buffer.alloc(20_000_000, ' '));
    const { base } = await listenHttp(t, (response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(body),
    );
    const answer = await (await connect(t, base)).insertGroups(request);
    assert.ok(answer.kind === 'unrecognised' || answer.kind === 'may-have-happened', answer.kind);
    assert.match(JSON.stringify(answer), /longer than|too long|bytes/);
  });
}
