import type { Pool } from 'pg';
import type { Config } from '../../config/load.ts';
import type { Company, ExportRow } from './company.ts';
import type { Oracle } from './oracle/oracle.ts';
import type { SourceName, Story } from './story.ts';
import type { Witness } from './witness.ts';
import type { Chance } from './world/chance.ts';
import type { Clock } from './world/clock.ts';
import { type SimulatedProcess, startProcess } from './world/process.ts';
import type { SimulatedQueue } from './world/queue.ts';
import type { SimulatedService } from './world/service.ts';
import type { Surroundings } from './world/surroundings.ts';

/** Everything that a story is played with. */
export interface Stage {
  story: Story;
  config: Config;
  clock: Clock;
  chance: Chance;
  /** To look into the ledger from outside. */
  pool: Pool;
  world: Surroundings;
  company: Company;
  service: SimulatedService;
  queue: SimulatedQueue;
  witness: Witness;
  oracle: Oracle;
  processes: (SimulatedProcess | undefined)[];
  exports: Record<SourceName, { rows: ExportRow[]; at: number }[]>;
  log: string[];
  starts: number;
  /** The last process that was asked to stop. */
  stopping: SimulatedProcess | undefined;
  nights: number;
  events: number;
  /** The storm is over: nobody dies any more. */
  isCalmAgain: boolean;
  /** Until when the service is in its mood. */
  moodUntil: number;
}

/** A process that lives, by its number. */
export function processOf({ processes }: Stage, number: number): SimulatedProcess | undefined {
  const found = processes[number];
  return found?.being.isDead === false ? found : undefined;
}

/** Starts a process, unless it runs; one that is alone with its directory waits until the one before has stopped. */
export async function startNumber(stage: Stage, number: number): Promise<void> {
  while (stage.world.isAlone && stage.stopping?.being.isDead === false) await stage.clock.sleep(100);
  if (processOf(stage, number) !== undefined) return;
  stage.starts += 1;
  stage.processes[number] = await startProcess(stage.world, `p${number + 1}.${stage.starts}`);
}
