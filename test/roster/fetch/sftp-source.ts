import type { TestContext } from 'node:test';
import ssh2 from 'ssh2';
import { isReject } from '../../../src/core/rows/row.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { sftpDefaults, type SftpSource } from '../../../src/roster/fetch/sftp-schema.ts';
import { fingerprintOf } from '../../../src/roster/fetch/sftp-session.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import type { RosterFile } from '../../../src/roster/open-roster.ts';
import type { SourceLocation } from '../../../src/roster/places.ts';
import type { SourceDeps } from '../../../src/roster/roster-file.ts';
import { deps } from './fetching.ts';
import { hostKey, password, serveSftp, type ServedFile, type Trouble } from './sftp-server.ts';

export const header = 'First name,Last name,Email\n';
export const ada = 'Ada,Berg,ada.berg@example.com\n';
export const bo = 'Bo,Dahl,bo.dahl@example.com\n';
/** In seconds, as SFTP has it. */
export const monday = Date.UTC(2026, 2, 2, 2) / 1000;

const parsed = ssh2.utils.parseKey(hostKey.public);
if (parsed instanceof Error) throw parsed;
/** Of the server's key. */
export const fingerprint = [fingerprintOf(parsed.getPublicSSH())];

/** The files of a server. */
export function files(
  ...served: [path: string, content: string | Buffer, modifiedAt?: number][]
): Map<string, ServedFile> {
  return new Map(
    served.map(([path, content, modifiedAt = monday]) => [path, { content: Buffer.from(content), modifiedAt }]),
  );
}

/** A server with these files, and a source that reads one of them. */
export async function server(t: TestContext, served: Map<string, ServedFile>, trouble: Trouble = {}) {
  const { port, connections, logins } = await serveSftp(t, served, trouble);
  const source: SftpSource = {
    ...sftpDefaults,
    ...{ host: '127.0.0.1', port, username: 'hr', fingerprint, path: '/out/staff.csv' },
    password: new Secret(password),
  };
  const open = (
    options: Partial<SftpSource> = {},
    location: Partial<SourceLocation> = {},
    given: SourceDeps = deps(),
  ): Promise<RosterFile> => openSource({ sftp: { ...source, ...options }, ...location }, given);
  return { open, source, connections, logins };
}

/** The rows of a roster, which is closed then. */
export async function rows(roster: RosterFile): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const batch of roster.batches())
      for (const row of batch) found.push(isReject(row) ? '!' : row.cells.join('|'));
  } finally {
    await roster.close();
  }
  return found;
}
