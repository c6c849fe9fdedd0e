// A program that enrols the people of a file every night, with roster-sync as a library.
//
//   npm install roster-sync
//   ROSTER_SYNC_BASE_URL=https://api.example.com ROSTER_SYNC_TOKEN=... node enrol.ts staff.csv
//
// It sends at most 20 people without asking anybody, and leaves everything unusual to a person.
import { openRosterSync, readRoster, type RosterSync, RosterSyncError } from 'roster-sync';

const mostPeople = 20;
const columns = { groups: ['All staff'] };

/** Reads a file, sends what is new or changed in it, and says how that went. Returns the exit code. */
async function enrol(file: string): Promise<number> {
  for await (const row of readRoster(file, { columns })) {
    if (row.is === 'reject') console.log(`line ${row.line} cannot be used: ${row.reason}`);
  }

  const rosterSync = await openRosterSync({ name: 'enrol', settings: { 'delivery.rate': '5/1s' } });
  try {
    return await send(rosterSync, file);
  } finally {
    await rosterSync.close();
  }
}

async function send(rosterSync: RosterSync, file: string): Promise<number> {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort()).once('SIGTERM', () => interrupted.abort());

  const result = await rosterSync.sync({
    source: 'staff',
    roster: file,
    columns,
    inactive: 'leave out',
    signal: interrupted.signal,
    async confirm(plan) {
      console.log(`${plan.people.new} new, ${plan.people.changed} changed, ${plan.people.unchanged} unchanged`);
      for (const { message } of plan.reasons) console.log(`held: ${message}`);
      for await (const person of plan.everybody()) {
        if (person.kind !== 'reject') console.log(`  ${person.kind}: ${person.email} into ${person.groups.join(', ')}`);
      }
      return plan.calls <= mostPeople ? { approvedBy: 'nightly job' } : false;
    },
  });

  if (!result) {
    console.log(`More than ${mostPeople} people: nothing was sent.`);
    return 3;
  }
  for await (const receipt of rosterSync.receipts(result.run)) {
    if (receipt.status !== 'success') console.log(`${receipt.email}, ${receipt.group}: ${receipt.reason}`);
  }
  console.log(`${result.status}: ${result.outcome.succeeded} delivered, ${result.calls} calls`);
  return result.exitCode;
}

try {
  process.exitCode = await enrol(process.argv[2] ?? 'staff.csv');
} catch (error) {
  if (!(error instanceof RosterSyncError)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
