// `connect`: signs a person in at the service of a source, once.
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { openDataDirectory } from '../../ledger/directory/data-directory.ts';
import { readVersion } from '../../process/version.ts';
import { requireSource } from '../../roster/configured-source.ts';
import { connectByDevice } from '../../roster/sign-in/device-flow.ts';
import { signInFile } from '../../roster/sign-in/sign-in-file.ts';
import { type GlobalOptions, openSession } from '../frame/session.ts';

/** `roster-sync connect SOURCE`. Throws an `InputError` where the source has no `auth.signIn`, or it fails. */
export async function connect(name: string, options: GlobalOptions): Promise<number> {
  const { config, output } = openSession(options);
  const auth = requireSource(config, name).http?.auth?.signIn;
  if (!auth) throw new InputError(`${escapeText(name)} has no http.auth.signIn: there is nothing to sign in to.`);
  const { path: dataDir } = await openDataDirectory(config.dataDir, { create: true });
  const deps = {
    ...{ name, environment: config.proxyEnvironment, userAgent: `roster-sync/${readVersion()}` },
    ...{ now: () => new Date(), random: Math.random },
    wait: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal ? { signal } : {}),
  };
  await connectByDevice(auth, signInFile(dataDir, name, auth), deps, ({ url, code, seconds }) => {
    output.print(`Open ${escapeText(url)}\nand enter the code ${escapeText(code)}`);
    output.note(`The code is valid for ${Math.floor(seconds / 60)} minutes. Waiting for the sign-in…`);
  });
  output.print(`Signed in: ${escapeText(name)} can be read now.`);
  return 0;
}
