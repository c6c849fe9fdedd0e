/** Ports of the servers that all test files of a run share. */
export interface SharedServers {
  redis?: number;
  postgres?: number;
}

const variable = 'ROSTER_SYNC_TEST_SERVERS';

/** Those of this run (global-setup.ts); none if a test file runs alone: then it starts its own. */
export const sharedServers: SharedServers = JSON.parse(process.env[variable] ?? '{}');

/** Tells them to the processes of the test files. */
export function shareServers(servers: SharedServers): void {
  process.env[variable] = JSON.stringify(servers);
}
