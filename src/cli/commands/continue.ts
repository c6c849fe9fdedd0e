// `resume`, `retry`, `pause`, `cancel`: steer a run that exists.
import {
  cancelRun as cancel,
  chooseRate,
  followRun,
  pauseRun as pause,
  resumeRun as resume,
  retryRun as retry,
} from '../../acts/runs.ts';
import { defined } from '../../core/defined.ts';
import { requireBaseUrl } from '../../../config/load.ts';
import { deliverAndReport, printResult } from '../run/deliver.ts';
import { type GlobalOptions, openSession, tell, withActs } from '../frame/session.ts';
import { callNow } from './throttled.ts';
import { checkWrittenFiles } from '../frame/written-files.ts';
import type { Options } from '../options.ts';

export const resumeRun = (named: string, options: Options<'resume'>) => goOn('resume', named, options);

export const retryRun = (named: string, options: Options<'retry'>) => goOn('retry', named, options);

export const pauseRun = (run: string, options: GlobalOptions) => stopRun('pause', run, options);

export const cancelRun = (run: string, options: GlobalOptions) => stopRun('cancel', run, options);

const stops = { pause, cancel };

async function stopRun(command: keyof typeof stops, run: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command }, [stops[command], { run }], (report, output) =>
    printResult(output, report, options),
  );
}

async function goOn(command: 'resume' | 'retry', named: string, options: Options<'resume'>): Promise<number> {
  const session = openSession(options);
  const { config, output } = session;
  checkWrittenFiles(options, config);
  requireBaseUrl(config);
  /** Set once the run continues: if the process that delivers it ends, this one takes over. */
  let begun = false;
  return withActs(session, { command: `${command} ${named}` }, async (ask, { here }) => {
    const look = await ask(followRun, { run: named });
    const { run, source } = look;
    const { rate, note } = chooseRate(config, options.rate, look.rate);
    if (note !== undefined) output.note(note);
    const refused = await callNow(ask, look, { ...options, output });
    if (refused !== undefined) return refused;
    const delivery = await here?.openDelivery(rate);
    if (options.now) await delivery?.pacer.callNow();
    // Should another process own the ledger by now, it has not heard of the run.
    if (!begun || (!here && look.status === 'delivering')) {
      const act = begun || command === 'resume' ? resume : retry;
      const { overtaken } = await ask(act, { run, ...defined({ rate: options.rate }) });
      begun = true;
      if (overtaken > 0)
        output.note(`${overtaken} deliveries are not sent: a newer roster of ${source} replaces them.`);
    }
    if (delivery && delivery.inFlightBefore > 0) {
      output.note(
        `${delivery.inFlightBefore} calls were in flight when the process ended; they are repeated ${config.service.timeoutMs / 1000} s after that.`,
      );
    }
    return deliverAndReport({ ask, output, delivery }, run, options);
  });
}
