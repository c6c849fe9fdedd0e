import { type Content, membersOf, saying } from './company.ts';
import { attempt } from './deeds.ts';
import { judge } from './judges/judge.ts';
import { processOf, type Stage, startNumber } from './stage.ts';
import type { Deed } from './story.ts';
import { show } from './witness.ts';

/** The storm is over: everything that was begun is brought to its end, and everybody has what the last rosters say. */
export async function endStory(stage: Stage, quiet: () => Promise<void>): Promise<void> {
  const { clock, processes, service, story, witness } = stage;
  service.mood = 'fine';
  stage.isCalmAgain = true;
  for (let number = 0; number < story.processes; number += 1) await startNumber(stage, number);
  await clock.sleep(1000);
  service.mood = 'fine';
  await settleRuns(stage, quiet);
  const before = witness.violations.length;
  if (!story.isCalm) await lastNight(stage, quiet);
  if (!story.isCalm && witness.violations.length === before) await judgeLastNight(stage, quiet);
  await judgeTotals(stage);
  judgeOutage(stage);
  for (const [number] of processes.entries()) await processOf(stage, number)?.stop();
  await judge(witness, stage.pool);
}

/** Resumes and approves until nothing is left. */
async function settleRuns(stage: Stage, quiet: () => Promise<void>): Promise<void> {
  const { clock, pool } = stage;
  for (let round = 0; round < 12; round += 1) {
    await quiet();
    const { rows } = await pool.query<{ id: string; status: string }>(
      `select id, status from runs where status in ('paused', 'halted', 'held') order by number desc limit 1`,
    );
    const [run] = rows;
    const process = processOf(stage, 0);
    if (!run || !process) return;
    const deed = { do: run.status === 'held' ? 'approve' : 'resume', by: 0, which: 0 } as Deed;
    await clock.as(process.being, () => attempt(stage, deed, process));
    // It may be in the way of itself: an older one of the same source waits as well.
    const [now] = await process.context.ledger.findRuns(run.id);
    if (now?.status === run.status)
      await process.context.ledger.moveRun(run.id, 'cancel', { by: 'person', reason: 'the end' });
  }
}

async function lastNight(stage: Stage, quiet: () => Promise<void>): Promise<void> {
  const process = processOf(stage, 0);
  if (!process) return;
  const { clock } = stage;
  await clock.sleep(1000);
  for (const source of ['staff', 'contractors'] as const) {
    await clock.as(process.being, () =>
      attempt(stage, { do: 'night', source, by: 0, file: 'whole', says: 'yes' }, process),
    );
    await settleRuns(stage, quiet);
  }
}

/** Now a further night has nothing to send, and the service has what the rosters say. */
async function judgeLastNight(stage: Stage, quiet: () => Promise<void>): Promise<void> {
  const { company, clock, pool, story, witness } = stage;
  if (!story.endsSoon) await judgeFurtherNight(stage, quiet);
  const { rows: rejected } = await pool.query<{ person: string }>(
    `select distinct person_key as person from rejects where person_key is not null`,
  );
  const rejects = new Set(rejected.map(({ person }) => person));
  for (const source of ['staff', 'contractors'] as const) {
    if (witness.undecided.has(source)) continue;
    for (const [key, content] of membersOf(company.export(source), source)) {
      if (witness.keptOut.has(key) || rejects.has(key)) continue;
      if (witness.elsewhere.some((members) => isSame(members.get(key), content))) continue;
      if (content.starts && Date.parse(content.starts) > clock.wall - 86_400_000) continue;
      const own = witness.calls.filter((call) => call.key === key && call.isDone);
      const names = own.at(-1)?.request.user;
      const isThere = content.groups.every((group) => own.some(({ request }) => request.groups.includes(group)));
      if (
        !isThere ||
        (names?.lastname !== content.last && !own.some(({ request }) => request.user.lastname === content.last))
      )
        witness.blame(`${key} of ${source} was never given ${content.groups.join(', ')} as ${content.last}`);
    }
  }
}

const isSame = (one: Content | undefined, other: Content): boolean =>
  one !== undefined && saying(one) === saying(other);

async function judgeFurtherNight(stage: Stage, quiet: () => Promise<void>): Promise<void> {
  const { witness } = stage;
  let before = witness.calls.length;
  await lastNight(stage, quiet);
  // One more may be needed: a hold that somebody approved just now was planned before the other source was sent.
  if (witness.calls.length > before) {
    before = witness.calls.length;
    await lastNight(stage, quiet);
  }
  const more = witness.calls.slice(before).map(({ key }) => key);
  if (more.length > 0) witness.blame(`a further night with the same rosters called ${more.join(', ')}`);
}

/** R5: the breaker closes by itself; once a call was answered as it should be, nobody speaks of an outage any more. */
function judgeOutage({ processes, witness }: Stage): void {
  const last = witness.calls.at(-1);
  if (last?.answer?.kind !== 'accepted' || last.recordedAt === undefined || last.by.isDead) return;
  for (const process of processes) {
    // One that is alone keeps the breaker for itself.
    if (!process || (process.context.mode === 'embedded' && process.being !== last.by)) continue;
    if (process.context.pacer.outage)
      witness.blame(
        `R5: ${last.key} was answered at ${show(last.at)}, and ${process.being.name} still speaks of an outage`,
      );
  }
}

/** What a run says about itself is what its deliveries say. */
async function judgeTotals(stage: Stage): Promise<void> {
  const process = processOf(stage, 0);
  if (!process) return;
  const { ledger } = process.context;
  const { witness } = stage;
  const { rows } = await stage.pool.query<{ id: string; outcomes: Record<string, number> }>(
    `select r.id, (select coalesce(jsonb_object_agg(outcome, count), '{}') from (
         select coalesce(outcome, case when repeated or id in (select delivery_id from in_hand where called_at is not null)
           then 'unknown' else 'cancelled' end) as outcome, count(*)
         from deliveries d where d.run_id = r.id and (d.state = 'done' or r.finished_at is not null) group by 1) o) as outcomes
     from runs r order by number desc limit 6`,
  );
  for (const { id, outcomes } of rows) {
    const totals = await ledger.totalsOf(id);
    const said: Record<string, number | undefined> = totals.outcome;
    for (const outcome of new Set([...Object.keys(said), ...Object.keys(outcomes)])) {
      if ((said[outcome] ?? 0) !== (outcomes[outcome] ?? 0))
        witness.blame(`run ${id} says ${said[outcome] ?? 0} ${outcome}, its deliveries ${outcomes[outcome] ?? 0}`);
    }
    const arrived = witness.calls.filter(({ run }) => run === id).length;
    if (totals.calls < arrived) witness.blame(`run ${id} says ${totals.calls} calls, and ${arrived} have arrived`);
  }
}
