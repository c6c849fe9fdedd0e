import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy to a server on this machine that can be cut silently, as by a failing network. */
export interface TcpProxy {
  port: number;
  /** Connections made so far. */
  readonly connections: number;
  /** Resolves when the next connection is made. */
  nextConnection(): Promise<void>;
  /** From now on nothing passes on the connections there are, and nobody is told. New ones are not touched. */
  cut(): void;
  close(): void;
}

/** Starts a proxy on a free port of 127.0.0.1. `onAnswer` is called with the number of pieces that the server has sent so far. */
export async function startTcpProxy(targetPort: number, onAnswer?: (pieces: number) => void): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let [connections, pieces] = [0, 0];
  let told: (() => void)[] = [];
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
    if (onAnswer) far.on('data', () => onAnswer((pieces += 1)));
    connections += 1;
    for (const tell of told.splice(0)) tell();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    nextConnection: () => new Promise((resolve) => void told.push(resolve)),
    cut() {
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners('close');
        // What still comes in is swallowed.
        socket.on('data', () => {});
      }
    },
    close() {
      told = [];
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
