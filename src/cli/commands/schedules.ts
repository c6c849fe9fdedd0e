// `schedules`: shows the next and the last time of each source.
import { existsSync } from 'node:fs';
import { type Config, findBaseUrl } from '../../../config/load.ts';
import { viewSchedules } from '../../../jobs/index.ts';
import { listSchedules as schedules } from '../../acts/sources.ts';
import { renderSchedules } from '../../report/terminal/render-schedules.ts';
import { type GlobalOptions, openLedgerSession, withActs } from '../frame/session.ts';

export async function listSchedules(options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const isKnown = findBaseUrl(config) !== undefined && hasLedger(config);
  const { schedules: views } = isKnown
    ? await withActs(session, { command: 'schedules' }, (ask) => ask(schedules, {}))
    : { schedules: viewSchedules(config, new Date()) };
  output.print(renderSchedules(views, output.style));
  if (options.json) output.json('schedules', { schedules: views });
  return 0;
}

function hasLedger({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(dataDir);
}
