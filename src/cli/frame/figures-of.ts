// Starts counting what a process does that stays, for monitors.
import type { Config } from '../../../config/load.ts';
import { createFigures, type Figures } from '../../process/figures.ts';
import { readVersion } from '../../process/version.ts';

export function figuresOf({ redisUrl, databaseUrl }: Pick<Config, 'redisUrl' | 'databaseUrl'>): Figures {
  return createFigures({ version: readVersion(), mode: redisUrl && databaseUrl ? 'production' : 'embedded' });
}
