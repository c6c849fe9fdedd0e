// What a report file is made from: the run, its details, and its lines.
import type { ResultRow } from '../../core/run/result-row.ts';
import type { RunReport } from '../run/run-report.ts';

/** A line of a report file. */
export type ReportRow = ResultRow;

export const reportColumns = [
  ...(['email', 'firstname', 'lastname', 'group', 'outcome', 'status', 'inserts', 'warnings', 'attempts'] as const),
  ...(['hash', 'responseTime', 'httpStatus', 'reason', 'action', 'repeated'] as const),
] as const satisfies readonly (keyof ReportRow)[];

/** What a report says about a run besides the run's own figures. Times are ISO 8601. */
export interface RunDetails {
  /** Who approved it, the first one first. */
  approvals: { at: string; by: string; note: string }[];
  /** What of its answers was other than a plain success, by kind, and when the service first gave that in any run. */
  noticed: { kind: string; count: number; firstSeenAt: string }[];
  /** SHA-256 of the roster's bytes, and the time the roster speaks of. */
  checksum?: string;
  rosterTime?: string;
}

export interface ReportSource {
  report: RunReport;
  details: RunDetails;
  rows(options?: { notable?: boolean }): AsyncIterable<ReportRow>;
}
