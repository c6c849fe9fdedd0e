// Computes the digest of everything besides the roster that decides a plan.
import { scryptSync } from 'node:crypto';
import type { Config } from '../../config/load.ts';
import type { SourceConfig } from '../../config/source-schema.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { readVersion } from '../../src/process/version.ts';

/**
 * Identifies all that decides what is sent, except the roster: the source, what holds for all sources, and this version's
 * ways. Secrets are in it, since some of them say whose people are fetched; so it takes long to try one out. When the
 * source is read, and by whom that is asked for, does not change what is sent.
 * @param salt this ledger's identity
 */
export function digestOf(settings: SourceConfig, { delivery }: Config, salt: string): string {
  const { schedule: _schedule, webhook: _webhook, ...source } = settings;
  const { forceSync, invite } = delivery;
  const text = JSON.stringify(
    [readVersion(), { forceSync, invite }, source],
    function reveal(this: object, key, value) {
      const own: unknown = Reflect.get(this, key);
      return own instanceof Secret ? own.reveal() : (value as unknown);
    },
  );
  return scryptSync(text, salt, 32).toString('hex');
}
