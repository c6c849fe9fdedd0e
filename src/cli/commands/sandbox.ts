// `sandbox`: runs the stand-in for the service.
import { once } from 'node:events';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { parseAssumptions, startSandbox } from '../../sandbox/index.ts';
import type { Options } from '../options.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import { openOutput } from '../frame/session.ts';

export async function runSandbox(options: Options<'sandbox'>): Promise<number> {
  const output = openOutput(options);
  const { token, fault: faults, assume } = options;
  const [port, seed, stories, users] = (['port', 'seed', 'stories', 'users'] as const).map((name) =>
    wholeNumber(name, options[name]),
  );
  const assumptions = parseAssumptions(assume);
  const sandbox = await startSandbox({ ...defined({ port, token, seed, stories, users }), faults, assumptions });
  output.print(
    `SANDBOX ${sandbox.url} - a stand-in for the service; it invites nobody and forgets everything when it ends`,
  );
  output.print(
    `Try it: ROSTER_SYNC_BASE_URL=${sandbox.url} ROSTER_SYNC_TOKEN=${sandbox.token} roster-sync import FILE`,
  );
  output.print(`Look inside: ${sandbox.url}/_sandbox/stats   Ctrl-C ends it`);
  using interruptions = listenForInterruptions(() => {});
  if (!interruptions.signal.aborted) await once(interruptions.signal, 'abort');
  const { calls, inserts } = sandbox.stats();
  output.print(`It was called ${calls} times and made ${inserts} inserts.`);
  await sandbox.close();
  return 0;
}

function wholeNumber(flag: string, text: string | undefined): number | undefined {
  if (text === undefined || /^\d+$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new InputError(`--${flag} ${text}: write a whole number.`);
}
