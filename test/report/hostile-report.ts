import type { ReportRow, ReportSource } from '../../src/report/run/run-report.ts';
import { exampleReport } from './examples.ts';

const evil =
  '</td></table><script>document.title = "run"</script><img src="https://evil.example/x" onerror="document.title=1">';

/** A report in which everything that comes from a roster or the service tries to be markup. */
export function hostileReport(people = 40): ReportSource {
  const groups = ['All staff', 'New starters', 'Finance', 'Sales – Nordics', `R&D ${evil}`];
  const report = exampleReport({
    source: 'new-starters',
    status: 'finished-with-failures',
    outcome: { succeeded: people - 5, partial: 1, failed: 2, unknown: 1, superseded: 1, cancelled: 0 },
    groups: groups.map((group, at) => ({
      group,
      calls: people - at * 6,
      inserts: people - at * 7,
      warnings: at,
      succeeded: people - at * 6 - (at === 2 ? 3 : at % 2),
      failures: at === 2 ? 3 : at % 2,
    })),
    problems: [
      { outcome: 'failed', reason: `HTTP 400 from service.example ${evil}`, count: 2, example: 'a***@example.com' },
      {
        outcome: 'unknown',
        reason: 'sent, but no answer: the connection was reset',
        count: 1,
        example: 'b***@example.com',
      },
    ],
    repeated: 1,
    pending: 0,
  });
  const details = {
    approvals: [{ at: '2026-01-05T10:00:00.000Z', by: 'eva@desk', note: `as agreed with the works council ${evil}` }],
    noticed: [
      { kind: '2 warnings', count: 4, firstSeenAt: '2025-11-20T02:15:00.000Z' },
      { kind: `group status ${evil}`, count: 1, firstSeenAt: '2026-01-05T14:03:00.000Z' },
    ],
    checksum: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    rosterTime: '2026-01-05T01:00:00.000Z',
  };
  async function* rows(): AsyncGenerator<ReportRow> {
    for (let at = 0; at < people; at++) {
      const outcome = at === 3 ? 'failed' : at === 7 ? 'unknown' : at === 9 ? 'partial' : 'succeeded';
      for (const group of groups.slice(0, 1 + (at % 3))) {
        yield {
          ...{
            email: `person${at}@example.com`,
            firstname: at === 5 ? evil : 'Åse',
            lastname: `Lindqvist-${at}\u202e`,
            group,
          },
          ...{ action: 'new', outcome, status: outcome === 'succeeded' ? 'success' : null },
          ...{ inserts: outcome === 'succeeded' ? 1 : null, warnings: outcome === 'succeeded' ? at % 2 : null },
          ...{ attempts: at === 7 ? 6 : 1, repeated: at === 7, hash: '0cc175b9c0f1b6a831c399e269772661' },
          ...{ responseTime: 0.034, httpStatus: outcome === 'failed' ? 400 : 200 },
          reason: outcome === 'failed' ? `HTTP 400 ${evil}` : '',
        };
      }
    }
  }
  return { report, details, rows };
}
