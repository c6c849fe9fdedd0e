// Opens the files of an SFTP source as a roster.
import { defined } from '../../core/defined.ts';
import type { FileChoice, SourceDeps, RosterFile } from '../roster-file.ts';
import type { SftpSource } from './sftp-schema.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { settled } from '../files/file-source.ts';
import { openAll } from '../join-rosters.ts';
import { openRoster } from '../open-roster.ts';
import { readText } from '../files/read-failure.ts';
import { SftpSession } from './sftp-session.ts';
import { triesOf, tryAgain, watching } from './tries.ts';

/**
 * Opens the file, or the files, of an SFTP source; all of it has arrived when this returns. The host must show a key
 * that is known, before anything is sent. Throws an `InputError` for an unknown key, refused credentials, a file that
 * is not there, goes on changing, is too old or too large, and for trouble that did not pass.
 */
export async function openSftp(at: SftpSource, deps: SourceDeps, choice: FileChoice): Promise<RosterFile> {
  const { host, port, privateKeyFile: file } = at;
  const privateKey = file === undefined ? at.privateKey : new Secret(await readText(file));
  const secrets = [...(deps.secrets ?? []), ...(privateKey ? [privateKey] : [])];
  const tries = triesOf(at, deps);
  return tryAgain(tries, deps, `${host}:${port}`, async () => {
    const settings = { ...at, ...defined({ privateKey }) };
    await using session = new SftpSession(settings, { ...deps, secrets }, tries.signal);
    await session.connect();
    const files = await settled((pick) => session.choose(pick), choice, deps);
    return await openAll(
      files,
      (file) => {
        const options = { ...deps.open, name: session.nameOf(file.path), now: () => file.modifiedAt };
        return watching(session.read(file), (bytes) => openRoster(bytes, options));
      },
      session.nameOf(at.path),
      choice.pick,
    );
  });
}
