import type { Pool } from 'pg';
import type { Witness } from '../witness.ts';
import { judgeDeliveries } from './deliveries.ts';
import { judgeEvents, judgeForgotten } from './kept.ts';
import { judgeOrder } from './order.ts';
import { judgeReceipts } from './receipts.ts';
import { readRecords } from './records.ts';
import { judgeRuns } from './runs.ts';
import { judgeSecrets } from './secrets.ts';

/** Everything that can be said once a story is over. */
export async function judge(witness: Witness, pool: Pool): Promise<void> {
  const records = await readRecords(pool);
  judgeRuns(witness, records);
  judgeDeliveries(witness, records);
  judgeOrder(witness, records);
  judgeReceipts(witness, records);
  await judgeEvents(witness, records, pool);
  await judgeForgotten(witness, pool);
  await judgeSecrets(witness, pool);
}
