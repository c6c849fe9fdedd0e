// Opens the files of an SFTP source as a roster.
import { refusal } from '../../core/words/say.ts';
import { defined } from '../../core/defined.ts';
import type { SourceLocation, SourceDeps } from '../source-location.ts';
import type { SftpSource } from '../../../config/fetch-schema.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { settled, assertFresh } from '../files/file-source.ts';
import { openAll } from '../join-rosters.ts';
import { openRoster } from '../open-roster.ts';
import { readText } from '../files/read-failure.ts';
import type { RosterFile } from '../roster-file.ts';
import { isFingerprint } from './host-key.ts';
import { type RemoteFile, SftpSession } from './sftp-session.ts';
import { triesOf, tryAgain, watching } from './tries.ts';

/**
 * Opens the file, or the files, of an SFTP source; all of it has arrived when this returns. The host must show a key
 * that is known, before anything is sent. Throws an `InputError` for an unknown key, refused credentials, a file that
 * is not there, goes on changing, is too old or too large, and for trouble that did not pass.
 */
export async function openSftp(
  source: SftpSource,
  { pick = 'newest', settle, maxAge }: Pick<SourceLocation, 'pick' | 'settle' | 'maxAge'>,
  deps: SourceDeps,
): Promise<RosterFile> {
  const wrong = source.fingerprint.find((text) => !isFingerprint(text));
  if (wrong !== undefined || source.fingerprint.length === 0)
    throw refusal('wrongFingerprint', { name: deps.name, host: source.host });
  const { privateKeyFile: file } = source;
  const privateKey = file === undefined ? source.privateKey : new Secret(await readText(file));
  const tries = triesOf(source, deps);
  return tryAgain(tries, deps, async () => {
    await using session = new SftpSession({ ...source, ...defined({ privateKey }) }, deps, tries);
    await session.connect();
    const files = await settled(() => session.choose(pick), settle, deps);
    assertFresh(files, maxAge, deps.now());
    const open = (file: RemoteFile): Promise<RosterFile> => {
      const options = { ...deps.open, name: session.nameOf(file.path), now: () => file.modifiedAt };
      return watching(session.read(file), (bytes) => openRoster(bytes, options));
    };
    return await openAll(files, open, session.nameOf(session.path));
  });
}
