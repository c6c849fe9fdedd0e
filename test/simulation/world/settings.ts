import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, loadConfig } from '../../../config/load.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { Story } from '../story.ts';
import { secrets } from './secrets.ts';

/** Bounds that a company of a dozen people exceeds now and then. */
export const bounds = {
  departed: { percent: 25, count: 1 },
  changed: { percent: 40, count: 2 },
  new: { percent: 40, count: 3 },
  invites: { percent: 60, count: 4 },
  removals: { percent: 40, count: 2, max: 4 },
  rejects: { percent: 30, count: 2 },
  newGroups: { count: 2 },
  group: { percent: 60, count: 2 },
  shrink: { percent: 50, count: 3 },
  fill: { points: 25, count: 2 },
  domains: { points: 25, count: 2 },
  wrongFile: { percent: 60, count: 3 },
} as const;

const guards = JSON.stringify(bounds);

const text = ({ forceSync, canary, maxInvitations, timeout = 4 }: Company): string => `
service: { baseUrl: https://service.example, token: ${secrets.token}, timeout: ${timeout}s }
delivery:
  rate: { limit: 4, per: 1s, and: [25/10s] }
  concurrency: 3
  attempts: 3
  backoff: { first: 500ms, max: 3s }
  deadline: 30m
  canary: ${canary}${
    maxInvitations === undefined
      ? ''
      : `
  maxInvitations: ${maxInvitations}`
  }
sources:
  staff:
    file: ./staff.csv
    snapshot: true
    members: { startDate: Start }
    groups: [{ column: Department }, { always: All staff }]
    guards: ${guards}
    webhook: { preset: greenhouse, secret: ${secrets.webhook}, quiet: 1s, longest: 10s, people: { members: { firstname: first, lastname: last, email: mail, startDate: start },
      groups: [{ column: team }, { always: All staff }] } }
  contractors:
    file: ./contractors.csv
    snapshot: true
    members: { startDate: Start }
    groups: [{ column: Department }, { always: All contractors }]
    deliver: { forceSync: ${forceSync}, invite: false }
    guards: ${guards}
`;

/** What of a story its settings depend on. */
type Company = Pick<Story, 'forceSync' | 'canary' | 'timeout' | 'maxInvitations'>;

/**
 * The settings of a simulated company, as the product reads them.
 * @param folder where they are, and the file of the staff, which is not there when a story begins
 */
export function settingsOf(story: Company & Pick<Story, 'processes'>, folder: string): Config {
  const file = join(folder, 'roster-sync.yaml');
  writeFileSync(file, text(story));
  rmSync(join(folder, 'staff.csv'), { force: true });
  const config = loadConfig({ environment: { ROSTER_SYNC_CONFIG: file }, cwd: folder });
  if (story.processes === 1) return config;
  // Nothing connects to them: what they would be is simulated.
  return { ...config, databaseUrl: new Secret('postgres://simulated'), redisUrl: new Secret('redis://simulated') };
}
