import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connectSandbox, type SandboxCall, sandboxToken } from '../../src/sandbox/index.ts';

/** A sandbox in a process of its own. */
export interface SandboxServer {
  url: string;
  token: string;
  /** Every call recorded so far. */
  calls(): Promise<SandboxCall[]>;
  clear(): Promise<void>;
  countCalls(): Promise<number>;
  stop(): void;
}

/**
 * Starts a sandbox with these faults in their text form. It keeps no bodies: collecting the garbage of as many objects as an
 * hour of calls brings would stop it for a moment, and calls that came meanwhile would seem to come together.
 */
export async function startSandboxServer(...faults: string[]): Promise<SandboxServer> {
  const script = `import { startSandbox } from ${JSON.stringify(import.meta.resolve('../../src/sandbox/index.ts'))};
    const { url } = await startSandbox({ record: 'no-bodies', faults: ${JSON.stringify(faults)} });
    console.log(url);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const url = said.toString().trim();
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
