import { conductRun } from '../../jobs/run/conduct-run.ts';
import { newRun } from '../../jobs/run/planning-run.ts';
import { runSource, newSourceRun } from '../../jobs/run/run-source.ts';
import { columnsOfSource } from '../../jobs/run/open-source.ts';
import { membersOf, rosterOf } from './company.ts';
import type { Reading } from './oracle/oracle.ts';
import type { Stage } from './stage.ts';
import type { Deed } from './story.ts';
import { show } from './witness.ts';
import type { SimulatedProcess } from './world/process.ts';
import { address } from './world/service.ts';

/** A file comes, and a schedule or a person has it read. */
export async function readNight(
  stage: Stage,
  { source, file, says, all = false, baseline = false, isBrought = false }: Extract<Deed, { do: 'night' }>,
  { context, deliverer }: SimulatedProcess,
): Promise<void> {
  const { chance, clock, company, config, log, story, witness } = stage;
  stage.nights += 1;
  witness.undecided.delete(source);
  const before = stage.exports[source];
  let { rows, at } = { rows: company.export(source), at: clock.wall };
  if (file === 'old') ({ rows, at } = before[Math.max(0, before.length - 2)] ?? { rows, at });
  if (file === 'other') rows = company.export(source === 'staff' ? 'contractors' : 'staff');
  if (file === 'half') rows = rows.slice(0, Math.ceil(rows.length / 2));
  if (file === 'shuffled') rows = chance.shuffled(rows);
  if (file === 'whole') before.push({ rows, at });
  const { tellsStatus = false, maxInvitations } = story;
  const roster = rosterOf(rows, { name: source, at, isUnended: file === 'half', tellsStatus });
  const isImport = says !== undefined;
  const members = membersOf(rows, source);
  const given = { source, members, text: JSON.stringify(rows), begunAt: clock.now, isImport };
  if (says === undefined) {
    const asked = isBrought
      ? { source, trigger: 'api' as const, roster, all, broughtBy: 'bob' }
      : { source, trigger: 'schedule' as const, roster, all };
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
  if (!story.isCalm || members.size === 0) return;
  const { invite = config.delivery.invite, forceSync = config.delivery.forceSync } =
    config.sources[source]?.deliver ?? {};
  await compare(stage, {
    ...{ source, rows, members, isImport, isBrought, isWatched: isImport || isBrought, tellsStatus, invite, forceSync },
    at: clock.wall,
    ...(maxInvitations !== undefined && { maxInvitations }),
  });
}

/** Where nothing goes wrong, a plan and what is held of it can be foretold. */
async function compare({ pool, oracle, witness }: Stage, reading: Omit<Reading, 'wasHeld'>): Promise<void> {
  const { rows } = await pool.query<{ id: string; counts: Record<string, number>; guards: string[]; wasHeld: boolean }>(
    `select id, held_at is not null as "wasHeld", plan->'counts' || jsonb_build_object('possibleInvitations', plan->'possibleInvitations') as counts, coalesce((select jsonb_agg(distinct t->>'guard' order by t->>'guard')
       from jsonb_array_elements(trips) t), '[]') as guards from runs order by number desc limit 1`,
  );
  const [run] = rows;
  const { guards, ...counts } = oracle.foretell({ ...reading, wasHeld: run?.wasHeld ?? false });
  for (const [name, count] of Object.entries(counts)) {
    if (run?.counts[name] !== count)
      witness.blame(`the plan of run ${run?.id} has ${run?.counts[name]} ${name}, and it should be ${count}`);
  }
  const held = run?.guards ?? [];
  if (held.join() !== guards.join())
    witness.blame(
      `run ${run?.id} is held by ${held.join(', ') || 'nothing'}, and it should be by ${guards.join(', ') || 'nothing'}`,
    );
}
