// Opens the files of an SFTP source as a roster.
import { readFile } from 'node:fs/promises';
import { defined } from '../../core/defined.ts';
import type { SourceLocation } from '../source-location.ts';
import type { SftpSource } from '../../../config/fetch-schema.ts';
import { InputError } from '../../core/errors.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { settled } from '../files/file-source.ts';
import { assertFresh } from '../files/fresh.ts';
import { joinRosters } from '../join-rosters.ts';
import { openRoster } from '../open-roster.ts';
import { readFailure } from '../files/read-failure.ts';
import type { RosterFile } from '../roster-file.ts';
import type { SourceDeps } from '../source-deps.ts';
import { isFingerprint } from './host-key.ts';
import { SftpSession } from './sftp-session.ts';
import { tryAgain } from './tries.ts';
import { watching } from './watch.ts';

type Choice = Pick<SourceLocation, 'pick' | 'settle' | 'maxAge'>;

/**
 * Opens the file, or the files, of an SFTP source; all of it has arrived when this returns. The host must show a key
 * that is known, before anything is sent. Throws an `InputError` for an unknown key, refused credentials, a file that
 * is not there, goes on changing, is too old or too large, and for trouble that did not pass.
 */
export async function openSftp(source: SftpSource, choice: Choice, deps: SourceDeps): Promise<RosterFile> {
  const wrong = source.fingerprint.find((text) => !isFingerprint(text));
  if (wrong !== undefined || source.fingerprint.length === 0) {
    throw new InputError(
      `${deps.name}: fingerprint must be the key of ${source.host} as \`ssh-keygen -lf\` shows it, SHA256: and 43 characters.`,
    );
  }
  const privateKey = source.privateKeyFile === undefined ? source.privateKey : await readKey(source.privateKeyFile);
  const deadline = AbortSignal.timeout(source.deadline);
  const signal = deps.signal ? AbortSignal.any([deps.signal, deadline]) : deadline;
  const until = deps.now().getTime() + source.deadline;
  const tries = { name: deps.name, attempts: source.attempts, until, signal };
  return tryAgain(tries, deps, async () => {
    const session = new SftpSession({ ...source, ...defined({ privateKey }) }, deps, signal);
    try {
      await session.connect();
      return await open(session, choice, deps);
    } finally {
      await session.close();
    }
  });
}

async function open(
  session: SftpSession,
  { pick = 'newest', settle, maxAge }: Choice,
  deps: SourceDeps,
): Promise<RosterFile> {
  const files = await settled(() => session.choose(pick), settle, deps);
  if (maxAge !== undefined) {
    for (const { path, modifiedAt } of files) assertFresh(path, modifiedAt, maxAge, deps.now());
  }
  const rosters: RosterFile[] = [];
  try {
    for (const file of files) {
      const options = { ...deps.open, name: session.nameOf(file.path), now: () => file.modifiedAt };
      rosters.push(await watching(session.read(file), (bytes) => openRoster(bytes, options)));
    }
    const [first, ...others] = rosters;
    if (!first) throw new InputError(`${deps.name}: there is no such file.`);
    return others.length === 0 ? first : joinRosters([first, ...others], session.nameOf(session.path));
  } catch (error) {
    for (const roster of rosters) await roster.close();
    throw error;
  }
}

async function readKey(file: string): Promise<Secret> {
  return new Secret(
    await readFile(file, 'utf8').catch((error: unknown) => {
      throw readFailure(file, error);
    }),
  );
}
