import type { Pool } from 'pg';

/** What the ledger says once a story is over. */
export interface Records {
  runs: RunRow[];
  deliveries: DeliveryRow[];
  receipts: ReceiptRow[];
}

/** A run as it is kept. */
export interface RunRow {
  id: string;
  number: number;
  source: string;
  status: string;
  beside: boolean;
  baseline: boolean;
  reason: string;
  trips: { guard: string; scope: 'all' | { actions?: string[]; groups?: string[]; people?: string[] } }[] | null;
  plan: {
    calls: number;
    counts: Record<'new' | 'changed' | 'again' | 'unchanged' | 'later' | 'departed', number>;
  } | null;
  roster: {
    counts: Record<'rows' | 'members' | 'merged' | 'filtered' | 'rejects', number>;
    time: string;
    partial: boolean;
  } | null;
}

/** A delivery as it is kept. */
export interface DeliveryRow {
  id: number;
  run_id: string;
  person_key: string;
  action: string;
  state: string;
  outcome: string | null;
  repeated: boolean;
  attempts: number;
  calls: number;
  groups: string[];
  stage: number;
}

/** A receipt as it is kept. */
export interface ReceiptRow {
  delivery: number;
  call: number;
  kind: string;
}

/** Reads what all judges look at. */
export async function readRecords(pool: Pool): Promise<Records> {
  const runs = await pool.query<RunRow>(
    `select id, number::int, source, status, beside, baseline, trips, plan, roster, status_reason as reason from runs order by number`,
  );
  const deliveries = await pool.query<DeliveryRow>(
    `select d.id::int, d.run_id, d.person_key, d.action, d.state, d.outcome, d.repeated, d.attempts, d.calls, d.stage,
       coalesce(m.groups, '[]') as groups from deliveries d
     left join members m on m.run_id = d.run_id and m.person_key = d.person_key order by d.id`,
  );
  const receipts = await pool.query<ReceiptRow>(
    `select delivery_id::int as delivery, call, kind from receipts order by delivery_id, call`,
  );
  return { runs: runs.rows, deliveries: deliveries.rows, receipts: receipts.rows };
}
