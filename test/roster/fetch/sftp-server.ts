import { generateKeyPairSync } from 'node:crypto';
import { constants } from 'node:fs';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import ssh2 from 'ssh2';
import { listen } from '../../service/local-server.ts';

const { Server, utils } = ssh2;
const status = utils.sftp.STATUS_CODE;

/** A file on the server; `modifiedAt` in seconds, as SFTP has it. */
export interface ServedFile {
  content: Buffer;
  modifiedAt: number;
}

/** What goes wrong on the server. */
export interface Trouble {
  /** What it says instead of how large a file is. */
  says?: string;
  /** Ends the connection instead of giving the bytes after these many. */
  cutAfter?: number;
  /** So many connections are ended at once. */
  refusals?: number;
  /** Never answers a read. */
  silent?: boolean;
  /** Never answers any of these requests: `STAT`, `OPENDIR`, `READDIR`, `OPEN`; `SFTP` for the session itself. */
  silentTo?: readonly string[];
  /** The size that it says every file has. */
  saysSize?: number;
  /** Says neither size nor time of any file. */
  saysNothing?: boolean;
  /** Reads never end: so many bytes each time, wherever in the file. */
  endlessReads?: number;
  /** Listings never end: so many names each time. */
  endlessNames?: number;
  /** Is taken away as soon as the folder was listed. */
  goesAfterListing?: string;
  /** From the second connection on it shows another key. */
  changesKey?: boolean;
}

/** A key for this run of the tests. Now and then ssh2 writes one that it cannot read. */
function newHostKey(): ReturnType<typeof utils.generateKeyPairSync> {
  const key = utils.generateKeyPairSync('ed25519');
  return utils.parseKey(key.private) instanceof Error ? newHostKey() : key;
}
export const hostKey = newHostKey();
export const otherKey = newHostKey();
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
});
/** The key that the user `hr` may use. */
export const userKey = rsa.privateKey;
export const password = 'pass "word" 1';

/** A real SSH server on loopback with files to read; closed when the test ends. `connections` counts who came. */
export async function serveSftp(
  t: TestContext,
  files: Map<string, ServedFile>,
  trouble: Trouble = {},
): Promise<{ port: number; connections: () => number; logins: string[] }> {
  let connections = 0;
  const logins: string[] = [];
  const serve = (client: ssh2.Connection): void => {
    connections += 1;
    client.on('error', () => {});
    if (connections <= (trouble.refusals ?? 0)) return void client.end();
    client.on('authentication', (context) => {
      if (context.method === 'none') return context.reject(['password', 'publickey']);
      logins.push(`${context.method} ${context.username}`);
      const isRight =
        (context.method === 'password' && context.password === password) ||
        (context.method === 'publickey' &&
          isUserKey(context.key.data, context.signature, context.blob, context.hashAlgo));
      return isRight && context.username === 'hr' ? context.accept() : context.reject();
    });
    client.on('ready', () =>
      client.on('session', (accept) =>
        accept().on('sftp', (accept) => {
          if (!trouble.silentTo?.includes('SFTP')) answer(accept(), files, trouble, () => client.end());
        }),
      ),
    );
  };
  const ssh = new Server({ hostKeys: [hostKey.private] }, serve);
  const changed = new Server({ hostKeys: [otherKey.private] }, serve);
  // The sockets are ours, so that they can be closed when the test ends.
  const port = await listen(
    t,
    createServer({ noDelay: true }, (socket) =>
      (trouble.changesKey && connections > 0 ? changed : ssh).injectSocket(socket),
    ),
  );
  return { port, connections: () => connections, logins };
}

function isUserKey(data: Buffer, signature?: Buffer, blob?: Buffer, hash?: string): boolean {
  const known = utils.parseKey(userKey);
  if (known instanceof Error || !data.equals(known.getPublicSSH())) return false;
  return !signature || !blob || known.verify(blob, signature, hash);
}

type Session = ReturnType<ssh2.SFTPWrapper['on']>;

function answer(sftp: Session, files: Map<string, ServedFile>, trouble: Trouble, end: () => void): void {
  const open = new Map<string, ServedFile | string[]>();
  const attributes = (path: string): ssh2.Attributes | undefined => {
    const file = files.get(path);
    const isFolder = !file && [...files.keys()].some((other) => other.startsWith(`${path}/`));
    if (!file && !isFolder) return undefined;
    if (file && trouble.saysNothing) return {} as ssh2.Attributes;
    const mode = isFolder ? constants.S_IFDIR | 0o700 : constants.S_IFREG | 0o600;
    const time = file?.modifiedAt ?? 0;
    return { mode, uid: 0, gid: 0, size: trouble.saysSize ?? file?.content.length ?? 0, atime: time, mtime: time };
  };
  const listenTo = sftp.on.bind(sftp) as (event: string, listener: (id: number, ...rest: never[]) => void) => void;
  const on: typeof listenTo = (event, listener) => {
    if (!trouble.silentTo?.includes(event)) listenTo(event, listener);
    else listenTo(event, () => {});
  };
  const server = sftp as unknown as {
    attrs(id: number, attributes: ssh2.Attributes): void;
    status(id: number, code: number, message?: string): void;
    handle(id: number, handle: Buffer): void;
    name(id: number, names: object[]): void;
    data(id: number, data: Buffer): void;
  };
  const stat = (id: number, path: string): void => {
    const found = attributes(path);
    if (trouble.says !== undefined) server.status(id, status.BAD_MESSAGE, trouble.says);
    else if (found) server.attrs(id, found);
    else server.status(id, status.NO_SUCH_FILE);
  };
  const give = (id: number, what: ServedFile | string[]): void => {
    const name = `${open.size}`;
    open.set(name, what);
    server.handle(id, Buffer.from(name));
  };
  on('STAT', stat);
  on('LSTAT', stat);
  on('OPEN', (id: number, path: string) => {
    const file = files.get(path);
    if (file) give(id, file);
    else server.status(id, status.NO_SUCH_FILE);
  });
  on('FSTAT', (id: number, handle: Buffer) => {
    const file = open.get(handle.toString()) as ServedFile;
    server.attrs(id, {
      mode: constants.S_IFREG,
      uid: 0,
      gid: 0,
      size: file.content.length,
      atime: 0,
      mtime: file.modifiedAt,
    });
  });
  on('READ', (id: number, handle: Buffer, offset: number, length: number) => {
    if (trouble.silent) return;
    const { content } = open.get(handle.toString()) as ServedFile;
    if (trouble.endlessReads !== undefined) return server.data(id, Buffer.alloc(trouble.endlessReads, 'a'));
    if (trouble.cutAfter !== undefined && offset + length > trouble.cutAfter) {
      delete trouble.cutAfter;
      return end();
    }
    if (offset >= content.length) return server.status(id, status.EOF);
    return server.data(id, content.subarray(offset, offset + length));
  });
  on('OPENDIR', (id: number, path: string) => {
    const names = [...files.keys()]
      .filter((name) => name.startsWith(`${path}/`))
      .map((name) => name.slice(path.length + 1));
    if (names.length > 0)
      give(
        id,
        names.map((name) => `${path}/${name}`),
      );
    else server.status(id, status.NO_SUCH_FILE);
  });
  on('READDIR', (id: number, handle: Buffer) => {
    const names = open.get(handle.toString()) as string[];
    if (trouble.endlessNames !== undefined) {
      const attrs = { mode: constants.S_IFREG | 0o600, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };
      const one = { filename: 'staff-1.csv', longname: '-rw------- 1 hr hr 0 Mar  2 02:00 staff-1.csv', attrs };
      return server.name(
        id,
        Array.from({ length: trouble.endlessNames }, () => one),
      );
    }
    if (names.length === 0) return server.status(id, status.EOF);
    const entries = names.map((path) => {
      const attrs = attributes(path);
      const filename = path.slice(path.lastIndexOf('/') + 1);
      return { filename, longname: `-rw------- 1 hr hr 0 Mar  2 02:00 ${filename}`, attrs };
    });
    names.length = 0;
    if (trouble.goesAfterListing !== undefined) files.delete(trouble.goesAfterListing);
    return server.name(id, entries);
  });
  on('CLOSE', (id: number) => server.status(id, status.OK));
}
