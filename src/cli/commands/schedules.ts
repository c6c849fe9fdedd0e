// `schedules`: shows the next and the last time of each source.
import { existsSync } from 'node:fs';
import { type Config, findBaseUrl } from '../../../config/load.ts';
import { type KnownSchedule, readKnownSchedules, viewSchedules } from '../../../jobs/index.ts';
import { renderSchedules } from '../../report/run/render-schedules.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { type GlobalOptions, openLedgerSession, type Session, withLedger } from '../frame/session.ts';

export async function listSchedules(options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const views = viewSchedules(config, new Date(), await knownStates(session));
  output.print(renderSchedules(views, output.style));
  if (options.json) output.json('schedules', { schedules: views });
  return 0;
}

async function knownStates(session: Session): Promise<Map<string, KnownSchedule> | undefined> {
  const { config } = session;
  const baseUrl = findBaseUrl(config);
  if (baseUrl === undefined || !hasLedger(config)) return undefined;
  const { address } = parseBaseUrl(baseUrl);
  return withLedger(session, { command: 'schedules' }, ({ ledger }) => readKnownSchedules(ledger, address));
}

function hasLedger({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== undefined || existsSync(dataDir);
}
