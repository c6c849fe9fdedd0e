// The part `answers` and `progress` share: asking the service, Ctrl-C, a closed pipe.
import { askAnalysis } from '../../../jobs/story/story-question-analysis.ts';
import { defined } from '../../core/defined.ts';
import type { Analysis, AnalysisRequest } from '../../core/story/analysis.ts';
import { escapeText, duration } from '../../core/text/format.ts';
import { openService } from '../../wiring/open-service.ts';
import { createRowProgress } from '../../report/run/progress.ts';
import { listenForInterruptions } from '../../process/shutdown.ts';
import type { Session } from './session.ts';

export interface Asking {
  /** The service's normalised address. */
  service: string;
  /** Aborted by Ctrl-C, or once nobody reads what is printed. */
  signal: AbortSignal;
  /** Absent with `--quiet`. */
  progress?: { read(answers: number): void; stop(): void };
  /** Asks once; what came is closed when the command ends. */
  ask(request: AnalysisRequest): Promise<Analysis>;
}

/** Returns what `use` does, 130 when it was interrupted, and 0 when the reader of the output has stopped reading. */
export async function whileAsking(
  { config, log, output }: Session,
  quiet: boolean,
  use: (asking: Asking) => Promise<number>,
): Promise<number> {
  const asker = await openService(config, log);
  const interruptions = listenForInterruptions(() => output.note('Stopping; nothing is written.'));
  const signal = AbortSignal.any([interruptions.signal, output.closed]);
  const fetching = { stream: process.stderr, label: 'Fetch', unit: 'byte' } as const;
  const line = quiet ? undefined : createRowProgress(fetching);
  const progress = line && {
    read: (answers: number) => line.update(answers, undefined, { label: 'Read', unit: 'answer' }),
    stop: line.stop,
  };
  let analysis: Analysis | undefined;
  try {
    return await use({
      service: asker.service.address,
      signal,
      ...defined({ progress }),
      async ask(request) {
        analysis = await askAnalysis(asker, request, signal, {
          ...defined({ received: line?.update }),
          waiting: (waitMs, reason) => line?.note(`Waiting ${duration(waitMs)}: ${escapeText(reason)}`),
        });
        return analysis;
      },
    });
  } catch (error) {
    if (interruptions.signal.aborted) return 130;
    if (output.closed.aborted) return 0;
    throw error;
  } finally {
    progress?.stop();
    interruptions.dispose();
    await analysis?.close();
    await asker.close();
    await output.flush();
  }
}
