import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeCertificate } from './certificate.ts';
import { findProgram, freePort, removeAtExit, serversRequired, startServer, without } from './server-process.ts';

const folders = ['/usr/sbin', '/usr/lib/openldap', '/usr/libexec'];
const [slapd, slapadd] = ['slapd', 'slapadd'].map((name) => findProgram(name, folders));
const missing =
  slapd && slapadd ? without('openssl') : 'OpenLDAP is not installed (Debian, Ubuntu: apt-get install slapd)';
if (missing !== false && serversRequired) throw new Error(missing);

/** For `suite(title, { skip: slapdSkipReason }, …)`: false if slapd is there, else what to install. */
export const slapdSkipReason: string | false = missing;

/** A directory of `dc=acme,dc=example` on this machine; who reads is `cn=sync,dc=acme,dc=example`. */
export interface TestDirectory {
  /** `ldaps`, and `ldap` for StartTLS. */
  ports: { secure: number; plain: number };
  /** The authority that signed its certificate for `localhost`, in PEM form. */
  caFile: string;
  password: string;
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same ports, with the same entries. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an OpenLDAP with these entries (LDIF) below `dc=acme,dc=example`. */
export async function startSlapd(ldif: string): Promise<TestDirectory> {
  if (!slapd || !slapadd) throw new Error(String(missing));
  const certificate = makeCertificate('localhost');
  const folder = mkdtempSync(join(tmpdir(), 'rs-ldap-'));
  removeAtExit(folder);
  const at = (name: string): string => join(folder, name);
  const password = 'pass of the directory';
  writeFileSync(at('key.pem'), certificate.key);
  writeFileSync(at('cert.pem'), certificate.cert);
  mkdirSync(at('data'));
  const schemas = ['core', 'cosine', 'nis', 'inetorgperson', 'msuser'].map(
    (name) => `include /etc/ldap/schema/${name}.schema`,
  );
  writeFileSync(
    at('slapd.conf'),
    [
      ...schemas,
      'modulepath /usr/lib/ldap',
      'moduleload back_mdb',
      `TLSCertificateFile ${at('cert.pem')}`,
      `TLSCertificateKeyFile ${at('key.pem')}`,
      // Nothing is told, and no password taken, on a connection that is not protected.
      'security simple_bind=128',
      'disallow bind_anon',
      'database mdb',
      'suffix "dc=acme,dc=example"',
      'rootdn "cn=admin,dc=acme,dc=example"',
      `directory ${at('data')}`,
      'limits dn.exact="cn=small,dc=acme,dc=example" size.soft=3 size.hard=3 size.prtotal=3',
      'access to attrs=userPassword by anonymous auth by * none',
      'access to * by users read by * none',
      '',
    ].join('\n'),
  );
  const account = (name: string): string =>
    `dn: cn=${name},dc=acme,dc=example\nobjectClass: applicationProcess\nobjectClass: simpleSecurityObject\ncn: ${name}\nuserPassword: ${password}\n`;
  const top = 'dn: dc=acme,dc=example\nobjectClass: dcObject\nobjectClass: organization\ndc: acme\no: Acme\n';
  const all = [top, account('sync'), account('small'), ldif].join('\n');
  execFileSync(slapadd, ['-q', '-f', at('slapd.conf')], { input: all, stdio: ['pipe', 'pipe', 'pipe'] });
  const ports = { secure: await freePort(), plain: await freePort() };
  const addresses = `ldaps://127.0.0.1:${ports.secure}/ ldap://127.0.0.1:${ports.plain}/`;
  const start = async () => {
    const args = ['-f', at('slapd.conf'), '-h', addresses, '-d', 'stats'];
    const server = await startServer(slapd, args, /slapd starting/);
    // It says so before it listens.
    for (const port of Object.values(ports)) while (!(await accepts(port))) await setTimeout(10);
    return server;
  };
  let server = await start();
  return {
    ...{ ports, caFile: at('cert.pem'), password },
    kill: () => server.stop('SIGKILL'),
    start: async () => void (server = await start()),
    stop: () => server.stop('SIGTERM'),
  };
}

/** Whether a port of this machine takes a connection. */
async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
