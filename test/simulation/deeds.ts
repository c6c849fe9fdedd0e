import { utimesSync, writeFileSync } from 'node:fs';
import { approveRun, howToGoOn, stopRun } from '../../jobs/run/steer-run.ts';
import { BusyError, NoUsableRowsError, RosterSyncError } from '../../src/core/errors.ts';
import { forgottenDigest } from '../../src/core/person/forgotten.ts';
import type { Run } from '../../src/ledger/runs/runs.ts';
import { type Content, membersOf, textOf } from './company.ts';
import { readNight } from './night.ts';
import { processOf, type Stage, startNumber } from './stage.ts';
import type { Deed } from './story.ts';
import { show } from './witness.ts';
import type { SimulatedProcess } from './world/process.ts';
import { address } from './world/service.ts';

type OutsideDeed = Extract<
  Deed,
  { do: 'hr' | 'day' | 'start' | 'kill' | 'stop' | 'stall' | 'service' | 'queue' | 'clock' }
>;
type Question = Exclude<Deed, OutsideDeed>;

/** Does a deed. What the product refuses is part of the story; anything else that goes wrong is a violation. */
export async function attempt(stage: Stage, deed: Deed, process: SimulatedProcess | undefined): Promise<void> {
  const { clock, log, witness } = stage;
  log.push(`${show(clock.now)} ${deed.do}`);
  try {
    if ('by' in deed || deed.do === 'event') {
      if (process) await ask(stage, deed, process);
    } else await happen(stage, deed);
  } catch (error) {
    if (
      deed.do === 'night' &&
      error instanceof NoUsableRowsError &&
      error.message.includes('waits until somebody says')
    )
      witness.undecided.add(deed.source);
    if (!(error instanceof RosterSyncError))
      witness.blame(`${deed.do}: ${error instanceof Error ? error.stack : String(error)}`);
    log.push(`${show(clock.now)} ${deed.do}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What happens to the world. */
async function happen(stage: Stage, deed: OutsideDeed): Promise<void> {
  const { clock, company, processes, queue, service, story, witness } = stage;
  switch (deed.do) {
    case 'hr':
      return company.apply(deed.change, clock.wall);
    case 'day':
      return clock.skip(86_400_000);
    case 'start':
      return startNumber(stage, deed.process);
    case 'kill':
    case 'stall': {
      const being = processOf(stage, deed.process);
      if (!being) return;
      const strike = (): void => {
        if (stage.isCalmAgain) return;
        if (deed.do === 'kill') being.kill();
        else being.being.stallsUntil = clock.now + deed.ms;
      };
      if (deed.at) being.being.fate = { ...deed.at, strike };
      else strike();
      return;
    }
    case 'stop': {
      const stopping = processOf(stage, deed.process);
      processes[deed.process] = undefined;
      stage.stopping = stopping;
      await stopping?.stop();
      return;
    }
    case 'service':
      service.mood = deed.mood;
      stage.moodUntil = clock.now + deed.forMs;
      await clock.sleep(deed.forMs);
      if (clock.now >= stage.moodUntil) service.mood = 'fine';
      return;
    case 'queue':
      // One process alone begins with an empty queue, and trusts it from then on.
      if (deed.how === 'double') queue.double();
      else if (story.processes > 1) queue.lose();
      return;
    case 'clock':
      clock.jump(deed.byMs);
      witness.jumpedAt = clock.now;
  }
}

/** What somebody asks a process. */
async function ask(stage: Stage, deed: Question, process: SimulatedProcess): Promise<void> {
  const { clock, company, witness } = stage;
  const { context, deliverer } = process;
  switch (deed.do) {
    case 'night':
      return readNight(stage, deed, process);
    case 'event':
      return tellEvent(stage, deed, process);
    case 'forget':
      return forget(stage, deed.id, process);
    case 'resolve': {
      const email = company.people.get(deed.id)?.email.toLowerCase() ?? '';
      witness.resolved.add(deed.id);
      const moves = [{ oldKey: `person.${deed.id}@corp.example`, newKey: email }];
      const change = { service: address, moves, decision: deed.as };
      await context.ledger.resolveMoves({ ...change, hash: (await context.ledger.resolveMoves(change)).hash });
      return;
    }
    case 'approve':
      await approve(stage, deed, process);
      return deliverer.poke();
    default: {
      const run = await find(stage, deed.which, process, false);
      if (!run) return;
      if (deed.do === 'pause' || deed.do === 'cancel') {
        await stopRun(context, run, deed.do, 'ann');
        witness.steered.push({ run: run.id, move: deed.do, at: clock.now });
      } else {
        witness.steered.push({ run: run.id, move: 'go on', at: clock.now });
        await context.ledger.continueRun(run.id, howToGoOn(run, deed.do));
        // A pause that was asked for before may have ended meanwhile.
        witness.steered.push({ run: run.id, move: 'go on', at: clock.now });
      }
      return deliverer.poke();
    }
  }
}

async function approve(
  stage: Stage,
  { which, part, hash }: Extract<Deed, { do: 'approve' }>,
  process: SimulatedProcess,
): Promise<void> {
  const { clock, log, witness } = stage;
  const run = await find(stage, which, process, true);
  if (!run) return;
  if (hash !== 'wrong') witness.approvals.push({ run: run.id, at: clock.now, ...(part && { part }) });
  witness.steered.push({ run: run.id, move: 'go on', at: clock.now });
  const approved = await approveRun(process.context, {
    ...{ runId: run.id, service: address, by: 'ann' },
    ...(hash !== undefined && { hash: hash === 'right' ? (run.plan?.hash ?? '') : 'deadbeefdeadbeef' }),
    ...(part && { only: [part] }),
  });
  if (hash === 'wrong') witness.blame(`an approval of another plan was taken for run ${run.id}`);
  log.push(`${show(clock.now)} approved ${run.id} ${JSON.stringify(approved)}`);
}

async function find(
  { pool }: Stage,
  which: number,
  { context }: SimulatedProcess,
  isHeld: boolean,
): Promise<Run | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    `select id from runs order by $2::boolean and status = 'held' desc, number desc offset $1 limit 1`,
    [which, isHeld],
  );
  const [id] = rows;
  return id && (await context.ledger.findRuns(id.id))[0];
}

async function tellEvent(
  stage: Stage,
  { id, copies, carries }: Extract<Deed, { do: 'event' }>,
  { context }: SimulatedProcess,
): Promise<void> {
  if (carries === 'nobody') return tellOfChange(stage, copies, context);
  const { company, witness } = stage;
  const person = company.people.get(id);
  if (!person || person.isGone || person.starts !== undefined) return;
  stage.events += 1;
  const key = `event ${stage.events}`;
  const { first, last, email, department } = person;
  const content: Content = { id, key: email.toLowerCase(), first, last, email, groups: [department, 'All staff'] };
  witness.told.set(content.key, [...(witness.told.get(content.key) ?? []), content]);
  const record = { id: `hr-${id}`, first, last, mail: email, team: department, start: '' };
  for (let copy = 0; copy < copies; copy += 1) {
    const event = { source: 'staff', key, kind: 'hired', employees: null };
    await context.ledger.addEvent({ ...event, people: [record], body: JSON.stringify(record) });
    // From here on the sender has been told that it arrived.
    witness.taken.add(key);
    witness.lastTold.set(content.key, stage.clock.now);
  }
}

/** An event that names nobody: whoever handles it reads the file that lies there. */
async function tellOfChange(stage: Stage, copies: number, { ledger }: SimulatedProcess['context']): Promise<void> {
  const { clock, company, config, pool, witness } = stage;
  const file = config.sources['staff']?.file ?? '';
  const { rows } = await pool.query<{ reads: boolean }>(
    `select exists (select 1 from events where state = 'waiting' and people is null)
       or exists (select 1 from runs where status = 'planning' and trigger = 'event') as reads`,
  );
  if (rows[0]?.reads !== true) {
    const staff = company.export('staff');
    writeFileSync(file, textOf(staff));
    utimesSync(file, clock.wall / 1000, clock.wall / 1000);
    witness.lying = { source: 'staff', members: membersOf(staff, 'staff'), text: JSON.stringify(staff) };
  }
  stage.events += 1;
  const key = `event ${stage.events}`;
  for (let copy = 0; copy < copies; copy += 1) {
    await ledger.addEvent({ source: 'staff', key, kind: 'changed', employees: null, people: null, body: '{}' });
    witness.taken.add(key);
  }
}

/** As the command does it. */
async function forget(
  { company, clock, witness }: Stage,
  id: number,
  { context: { ledger } }: SimulatedProcess,
): Promise<void> {
  const key = company.people.get(id)?.email.toLowerCase();
  if (key === undefined) return;
  const known = await ledger.whatIsKnownOf(key);
  if (known.inTheWay.length > 0 || known.inFlight > 0) throw new BusyError('something is in the way');
  const digest = forgottenDigest(await ledger.forgetKey(), key);
  await ledger.blockPeople([{ service: address, digest }]);
  // From here on they are kept out, also where the erasure itself is refused because somebody plans at this moment.
  witness.keptOut.set(key, clock.now);
  await ledger.erasePerson({ key, instead: `forgotten-${id}` });
  witness.forgotten.set(key, clock.now);
}
