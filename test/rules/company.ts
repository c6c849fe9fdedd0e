import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/load.ts';
import type { PlannedRun } from '../../jobs/run/planning-run.ts';
import { planRoster } from '../../jobs/run/plan-roster.ts';
import { type Release, releaseOrHold } from '../../jobs/run/release-plan.ts';
import { mappingOf } from '../../src/roster/configured-source.ts';
import { type Context, openContext } from '../../src/wiring/context.ts';
import type { Trigger } from '../../src/core/run/run.ts';
import type { Trip } from '../../src/core/guards/trip.ts';
import type { FedDelivery } from '../../src/ledger/moves/feed.ts';
import { createLogger } from '../../src/process/logger.ts';
import { openRoster } from '../../src/roster/open-roster.ts';
import { success, unique } from '../contract/plans.ts';
import { copyEmptyDataDirectory } from '../support/empty-data-directory.ts';

/** One person of a company's HR system. */
export interface Employee {
  id: number;
  first: string;
  last: string;
  email: string;
  department: string;
  location: string;
  status: 'Active' | 'On leave' | 'Terminated';
}

const header = 'Employee ID,First Name,Last Name,Email,Department,Location,Status';

/** An export of the HR system. */
export function exportOf(people: readonly Employee[], head = header): string {
  const rows = people.map((each) =>
    [1000 + each.id, each.first, each.last, each.email, each.department, each.location, each.status].join(','),
  );
  return `${[head, ...rows].join('\n')}\n`;
}

const departments = ['Sales', 'Marketing', 'IT', 'Finance', 'Legal', 'Operations'];
const locations = ['Aarhus', 'Berlin', 'Oslo', 'Lyon', 'Malmö', 'Turku', 'Porto', 'Graz'];

/** The person of this number; everybody has an address of the company. */
export function employee(id: number, changes: Partial<Employee> = {}): Employee {
  return {
    ...{ id, first: `First${id}`, last: `Last${id}`, email: `person.${id}@corp.example` },
    department: departments[id % departments.length] ?? '',
    location: locations[id % locations.length] ?? '',
    status: id % 10 === 9 ? 'Terminated' : id % 25 === 3 ? 'On leave' : 'Active',
    ...changes,
  };
}

/** So many people, of whom one in ten has left. */
export function employees(count: number, from = 0): Employee[] {
  return Array.from({ length: count }, (_, at) => employee(from + at));
}

/** How a night is run. */
export interface NightOptions {
  source?: string;
  trigger?: Trigger;
  forceSync?: boolean;
  only?: readonly string[];
  /** Somebody says yes to the plan. */
  approvedBy?: string;
  /** Everybody was given it elsewhere: nothing is sent. */
  baseline?: boolean;
}

/** What happened to a night's roster. */
export interface Night {
  planned: PlannedRun;
  release: Release;
  /** Names of the guards that stopped something, those that stop everything first. */
  guards: string[];
  trips: Trip[];
  /** How many people were sent. */
  sent: number;
}

/** A ledger with a source `staff` and a source `contractors` of the same form. */
export interface Office {
  context: Context;
  /** A service of its own, where nobody is known; `night` plans and releases a roster there, and delivers what is due. */
  newService(): { service: string; night(roster: string, options?: NightOptions): Promise<Night> };
  /** Delivers what is due of a run, everything with success. Returns how many people that were. */
  deliver(runId: string): Promise<number>;
  close(): Promise<void>;
}

const source = (file: string): string => `
    file: ./${file}
    snapshot: true
    only: [{ column: Status, in: [Active, On leave] }]
    groups: [{ column: Department }, { always: All staff }]
`;

/** Opens a data directory of its own with an embedded ledger. */
export async function openOffice(): Promise<Office> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-office-'));
  const file = join(folder, 'roster-sync.yaml');
  // All at once: these tests are of what is sent, not of how carefully.
  writeFileSync(
    file,
    `delivery: { canary: false }\nsources:\n  staff:${source('staff.csv')}  contractors:${source('contractors.csv')}`,
  );
  const environment = { ROSTER_SYNC_CONFIG: file, ROSTER_SYNC_DATA_DIR: join(folder, 'data') };
  const config = loadConfig({ environment, cwd: folder });
  await copyEmptyDataDirectory(config.dataDir);
  const context = await openContext({ config, log: createLogger({ quiet: true }), command: 'test', create: true });
  const { concurrency: _, canary: _all, ...delivery } = config.delivery;

  async function deliver(runId: string): Promise<number> {
    const { ledger } = context;
    let sent = 0;
    for (let fed: FedDelivery[]; (fed = await ledger.findDue(runId, { limit: 500 })).length > 0; sent += fed.length) {
      await Promise.all(
        fed.map(async (each) => {
          const claimed = await ledger.claim(each);
          const call = claimed && (await ledger.begin(claimed.id));
          assert.ok(claimed && call !== undefined, 'nobody else calls these people');
          await ledger.record(success(claimed.id, call, claimed.member.groups));
        }),
      );
    }
    await ledger.moveRun(runId, 'finish');
    return sent;
  }

  async function night(service: string, text: string, options: NightOptions = {}): Promise<Night> {
    const {
      source: name = 'staff',
      trigger = 'schedule',
      forceSync = false,
      only = [],
      approvedBy,
      baseline,
    } = options;
    const path = join(folder, `${name}.csv`);
    writeFileSync(path, text);
    const settings = config.sources[name];
    assert.ok(settings);
    const roster = await openRoster(path);
    const runId = unique('run');
    let planned: PlannedRun;
    try {
      planned = await planRoster(context, {
        run: {
          ...{ id: runId, source: name, service, trigger, settings: { ...delivery, forceSync } },
          worker: context.ledger.worker,
        },
        open: () =>
          Promise.resolve({
            roster,
            columns: { groups: [], groupColumns: [], ...mappingOf(settings, roster.form.header) },
          }),
        ...{ only, all: false, onRows: () => {} },
      });
    } finally {
      await roster.close();
    }
    const said = { planned, guards: planned.trips.map(({ guard }) => guard), trips: planned.trips };
    if (baseline) {
      await context.ledger.recordBaseline(runId);
      return { ...said, release: 'nothing', sent: 0 };
    }
    const release = await releaseOrHold(context, planned, { all: false, ...(approvedBy && { approvedBy }) });
    const sent = release === 'released' ? await deliver(runId) : 0;
    return { ...said, release, sent };
  }

  return {
    context,
    newService() {
      const service = `https://${unique('service')}.example`;
      return { service, night: (text, options) => night(service, text, options) };
    },
    deliver,
    async close() {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
