// Checks for `doctor` and the page that the keys for encrypted rosters open.
import type { Config } from '../../config/load.ts';
import { RosterSyncError } from '../core/errors.ts';
import { keyFault } from '../roster/pgp/decrypt.ts';
import { loadPgpKeys } from '../roster/load-keys.ts';
import type { Finding } from './findings.ts';

/** Whether the keys for encrypted rosters open, with the gpg of this machine; a finding for each source that has some. */
export async function pgpFindings(config: Config): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, { pgp }] of Object.entries(config.sources)) {
    if (!pgp) continue;
    const what = `PGP of ${name}`;
    try {
      const fault = await keyFault(await loadPgpKeys(pgp));
      if (fault === undefined)
        findings.push({ what, state: 'ok', text: 'gpg is installed, and the private key opens' });
      else findings.push({ what, state: 'problem', text: fault, exitCode: 2 });
    } catch (error) {
      if (!(error instanceof RosterSyncError)) throw error;
      findings.push({ what, state: 'problem', text: error.message, exitCode: error.exitCode });
    }
  }
  return findings;
}
