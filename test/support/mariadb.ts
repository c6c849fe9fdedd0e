import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificate } from './certificate.ts';
import {
  findProgram,
  freePort,
  removeAtExit,
  serversRequired,
  startServer,
  unprivilegedUser,
  without,
} from './server-process.ts';

const folders = ['/usr/sbin', '/usr/bin'];
const [mariadbd, install] = ['mariadbd', 'mariadb-install-db'].map((name) => findProgram(name, folders));
const missing =
  mariadbd && install
    ? without('openssl')
    : 'MariaDB is not installed (Debian, Ubuntu: apt-get install mariadb-server)';
if (missing !== false && serversRequired) throw new Error(missing);

/** For `suite(title, { skip: mariadbSkipReason }, …)`: false if MariaDB is there, else what to install. */
export const mariadbSkipReason: string | false = missing;

/** A MariaDB on 127.0.0.1, for this process only. */
export interface TestMariadb {
  port: number;
  /** Gives it a certificate for a host, which it shows after `FLUSH SSL`; the authority that signed it, in PEM form. */
  certify(host: string): string;
  stop(): Promise<void>;
}

/** Starts a MariaDB that has run these statements, one on a line. */
export async function startMariadb(statements: string): Promise<TestMariadb> {
  if (!mariadbd || !install) throw new Error(String(missing));
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(tmpdir(), 'rs-my-'));
  removeAtExit(folder);
  const at = (name: string): string => join(folder, name);
  const write = (name: string, text: string): void => {
    writeFileSync(at(name), text);
    if (user) chownSync(at(name), user.uid, user.gid);
  };
  if (user) chownSync(folder, user.uid, user.gid);
  write('init.sql', statements);
  const certify = (host: string): string => {
    const certificate = makeCertificate(host);
    write('key.pem', certificate.key);
    write('cert.pem', certificate.cert);
    return certificate.cert;
  };
  certify('localhost');
  // Its user may not write into the folder of temporary files of whoever runs the tests.
  const flags = ['--no-defaults', `--datadir=${at('data')}`, `--tmpdir=${folder}`];
  execFileSync(install, [...flags, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    ...{ stdio: 'pipe', cwd: '/' },
    ...user,
  });
  const port = await freePort();
  const tls = [`--ssl-cert=${at('cert.pem')}`, `--ssl-key=${at('key.pem')}`];
  const small = ['--innodb-buffer-pool-size=8M', '--innodb-flush-method=nosync', '--skip-name-resolve'];
  const place = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${at('s')}`, `--init-file=${at('init.sql')}`];
  const server = await startServer(mariadbd, [...flags, ...tls, ...small, ...place], /ready for connections/, user);
  return { port, certify, stop: () => server.stop('SIGTERM') };
}
