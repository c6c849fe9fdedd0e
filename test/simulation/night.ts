import { conductRun, newRun, runSource } from '../../jobs/index.ts';
import { columnsOfSource } from '../../jobs/run/open-source.ts';
import { newSourceRun } from '../../jobs/run/run-source.ts';
import { type Content, membersOf, rosterOf } from './company.ts';
import type { Stage } from './stage.ts';
import type { Deed } from './story.ts';
import { show } from './witness.ts';
import type { SimulatedProcess } from './world/process.ts';
import { address } from './world/service.ts';

/** A file comes, and a schedule or a person has it read. */
export async function readNight(
  stage: Stage,
  { source, file, says, all = false, baseline = false }: Extract<Deed, { do: 'night' }>,
  { context, deliverer }: SimulatedProcess,
): Promise<void> {
  const { chance, clock, company, log, story, witness } = stage;
  stage.nights += 1;
  const before = stage.exports[source];
  let { rows, at } = { rows: company.export(source), at: clock.wall };
  if (file === 'old') ({ rows, at } = before[Math.max(0, before.length - 2)] ?? { rows, at });
  if (file === 'half') rows = rows.slice(0, Math.ceil(rows.length / 2));
  if (file === 'shuffled') rows = chance.shuffled(rows);
  if (file === 'whole') before.push({ rows, at });
  const roster = rosterOf(rows, source, at, file === 'half');
  const isImport = says !== undefined;
  const members = membersOf(rows, source);
  const given = { source, members, text: JSON.stringify(rows), begunAt: clock.now, isImport };
  if (says === undefined) {
    const asked = { source, trigger: 'schedule' as const, roster, all };
    const run = newSourceRun(context, asked);
    witness.runs.set(run.id, given);
    const { status, reason } = await runSource(context, asked, run);
    log.push(`${show(clock.now)} ${source} ${run.id} is ${status} ${reason}`);
  } else {
    const run = newRun(context, { source, service: address, trigger: 'import' });
    witness.runs.set(run.id, given);
    const { became } = await conductRun(context, {
      ...{ run, only: [], all, isBaseline: baseline, whilePlanning: (plan) => plan(() => {}) },
      open: () => Promise.resolve({ roster, columns: columnsOfSource(context, source, roster.form.header) }),
      attendant: {
        confirm: () => Promise.resolve(says === 'yes' ? { approvedBy: 'ann' } : { refused: 'no' as const }),
      },
    });
    if (became === 'baseline') witness.elsewhere.push(members);
    log.push(`${show(clock.now)} ${source} ${run.id} became ${became}`);
  }
  deliverer.poke();
  if (story.isCalm && members.size > 0) await compare(stage, members, isImport);
}

/** Where nothing goes wrong, a plan and what is held of it can be foretold. */
async function compare(
  { pool, oracle, witness }: Stage,
  members: ReadonlyMap<string, Content>,
  isImport: boolean,
): Promise<void> {
  const { rows } = await pool.query<{ id: string; counts: Record<string, number>; guards: string[] }>(
    `select id, plan->'counts' as counts, coalesce((select jsonb_agg(distinct t->>'guard' order by t->>'guard')
       from jsonb_array_elements(trips) t), '[]') as guards from runs order by number desc limit 1`,
  );
  const [run] = rows;
  const { guards, ...counts } = oracle.foretell(members, isImport);
  for (const [name, count] of Object.entries(counts)) {
    if (run?.counts[name] !== count)
      witness.blame(`the plan of run ${run?.id} has ${run?.counts[name]} ${name}, and it should be ${count}`);
  }
  if ((run?.guards ?? []).length > 0) oracle.noteHeld();
  const held = (run?.guards ?? []).filter((guard) => ['changed', 'departed', 'group', 'new'].includes(guard));
  if (held.join() !== guards.join())
    witness.blame(
      `run ${run?.id} is held by ${held.join(', ') || 'nothing'}, and it should be by ${guards.join(', ') || 'nothing'}`,
    );
}
