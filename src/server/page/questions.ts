// Reads what is behind each reason of a hold.
import { defined } from '../../core/defined.ts';
import { usualFigureOf } from '../../report/run/hold-questions.ts';
import type { Run } from '../../ledger/runs/runs.ts';
import { peopleTable } from '../../page/people.ts';
import type { Question } from '../../page/question.ts';
import type { ServerParts } from '../parts.ts';

/** People shown behind each reason. */
const fewPeople = 4;

export async function questionsOf({ context: { ledger } }: ServerParts, run: Run): Promise<Question[]> {
  const parts = await ledger.heldByReason(run.id);
  const censuses = await ledger.lastCensuses(run.id);
  const isOfNobody = parts.every(({ people }) => people === 0);
  const questions: Question[] = [];
  for (const [at, trip] of run.trips.entries()) {
    const { people, fresh } = parts[at] ?? { people: 0, fresh: 0 };
    if (people === 0 && !isOfNobody) continue;
    const of = { runId: run.id, service: run.service, source: run.source };
    const found = await ledger.peopleOfRun(of, { stoppedBy: trip }, { from: 0, limit: fewPeople });
    const usual = usualFigureOf(trip, censuses);
    const names = people > fewPeople ? [] : found.map(({ now }) => `${now.firstname} ${now.lastname}`);
    questions.push({ place: at + 1, trip, people, fresh, names, ...defined({ usual }), sample: peopleTable(found) });
  }
  return questions;
}
