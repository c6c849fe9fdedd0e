import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A self-signed certificate for a host name, made for the moment. Needs openssl: `without('openssl')`. */
export function makeCertificate(host: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
    const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...form, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
