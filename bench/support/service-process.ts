/**
 * A service that costs next to nothing, in a process of its own: it takes every group insert as a success. It keeps
 * the time of each arrival, where asked for, in memory that no collection of garbage stops it for, and tells its parent when so
 * many calls have been answered.
 *
 *   node service-process.ts [latency in ms]
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the service tells when it was asked to wait for so many answers. Times are ms on its own monotonic clock. */
export interface Served {
  calls: number;
  firstAt: number;
  lastAt: number;
}

const latency = Number(process.argv[2] ?? 0);
let served: Served = { calls: 0, firstAt: 0, lastAt: 0 };
let awaited = Infinity;
/** When each call came; none is kept until somebody asks for so many. */
let times = new Float64Array(0);
let came = 0;
const pauses = monitorEventLoopDelay({ resolution: 1 });

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const arrivedAt = performance.now();
  if (came < times.length) times[came] = arrivedAt;
  came += 1;
  if (served.calls === 0 && served.firstAt === 0) served.firstAt = arrivedAt;
  let text = '';
  request.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  request.on('end', () => {
    const { groups } = JSON.parse(text) as { groups: string[] };
    const data = groups.map((group) => ({ group, status: 'success', inserts: 1, warnings: 0 }));
    const body = JSON.stringify({
      status: 'success',
      data,
      hash: '0123456789abcdef0123456789abcdef',
      response_time: 0.01,
    });
    const answer = (): void => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
      response.end(body);
      served.calls += 1;
      served.lastAt = performance.now();
      if (served.calls === awaited) process.send?.({ served });
    };
    if (latency > 0) setTimeout(answer, latency);
    else answer();
  });
});
process.on('message', (message: { await?: number; clear?: boolean; keep?: number; tell?: boolean }) => {
  if (message.clear) served = { calls: 0, firstAt: 0, lastAt: 0 };
  if (message.keep !== undefined) {
    [times, came] = [new Float64Array(message.keep), 0];
    pauses.reset();
    pauses.enable();
  }
  if (message.tell) process.send?.({ times: [...times.subarray(0, came)], longestPauseMs: pauses.max / 1e6 });
  if (message.await !== undefined) {
    awaited = message.await;
    if (served.calls >= awaited) process.send?.({ served });
  }
});
process.on('disconnect', () => {
  server.closeAllConnections();
  server.close();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'YmVuY2g6YmVuY2g=' });
});
