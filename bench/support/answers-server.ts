/** Serves the answer in a file over HTTP, as often as it is asked for; tells its port. */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What it tells. */
export type Port = number;

const [, , path = ''] = process.argv;
const { size } = statSync(path);
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': size });
  createReadStream(path, { highWaterMark: 256 * 1024 }).pipe(response);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
