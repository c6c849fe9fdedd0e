// Says whose a file or folder is that this user may not use.
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../../core/errors.ts';

/** The owner of a file: a name, or a number where this machine has none for it. */
export function ownerOf(path: string): string {
  const uid = String(statSync(path).uid);
  try {
    const users = readFileSync('/etc/passwd', 'utf8').split('\n');
    return users.find((line) => line.split(':')[2] === uid)?.split(':')[0] ?? uid;
  } catch {
    return uid;
  }
}

/** How to run a command as another user; `sudo` takes a number after `#`. */
export const asUser = (owner: string): string =>
  `\`sudo -u ${/^\d/.test(owner) ? `'#${owner}'` : owner} roster-sync …\``;

/**
 * Looks for what this user may not read and write: a file, or a folder and everything in it.
 * @returns whose the first one is, and what to do; undefined if all may be used, or nothing is there
 */
export function deniedIn(path: string, below = path): string | undefined {
  try {
    const isFolder = statSync(path).isDirectory();
    accessSync(path, constants.R_OK | constants.W_OK | (isFolder ? constants.X_OK : 0));
    const denied = isFolder ? readdirSync(path).map((name) => deniedIn(join(path, name), below)) : [];
    return denied.find((each) => each !== undefined);
  } catch (error) {
    if (!['EACCES', 'EPERM'].includes(codeOf(error))) return undefined;
  }
  try {
    const owner = ownerOf(path);
    return (
      `${path} belongs to ${owner}, and this user may not read and write it. Run it as its owner, with ${asUser(owner)}, ` +
      `or give everything there to this user: \`sudo chown -R ${process.geteuid?.()} ${below}\`.`
    );
  } catch {
    // It lies in a folder that may not be entered.
    return undefined;
  }
}
