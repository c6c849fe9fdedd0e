import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connectSandbox, type SandboxCall, sandboxToken } from '../../src/sandbox/index.ts';
import { freePort } from '../../test/support/server-process.ts';

/** A real `roster-sync sandbox` process. */
export interface SandboxServer {
  url: string;
  token: string;
  /** Every call recorded so far. */
  calls(): Promise<SandboxCall[]>;
  clear(): Promise<void>;
  countCalls(): Promise<number>;
  stop(): void;
}

/** Starts a sandbox with these faults in their text form. */
export async function startSandboxServer(...faults: string[]): Promise<SandboxServer> {
  const port = await freePort();
  const bin = join(import.meta.dirname, '../../bin/roster-sync.cjs');
  const flags = faults.flatMap((fault) => ['--fault', fault]);
  const child = spawn(process.execPath, [bin, 'sandbox', '--port', String(port), ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const url = `http://127.0.0.1:${port}`;
  const remote = connectSandbox(url);
  return {
    url,
    token: sandboxToken,
    calls: () => remote.calls(),
    clear: () => remote.clearCalls(),
    countCalls: async () => (await remote.stats()).calls,
    stop: () => child.kill('SIGKILL'),
  };
}
