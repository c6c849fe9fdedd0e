import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openForRun } from '../../../jobs/run/open-source.ts';
import type { Run } from '../../../src/ledger/runs/runs.ts';
import { type Provider, startProvider } from './provider.ts';
import { decideMove } from '../../contract/plans.ts';

describe('people who are pushed', () => {
  let idp: Provider;
  before(async () => (idp = await startProvider()));
  after(() => idp.server.close());

  /** Waits until no change waits any more and every run has ended or is held; gives the runs, the newest first. */
  async function settled(): Promise<Run[]> {
    const { ledger } = idp.server.context;
    for (;;) {
      const [waiting, runs] = [await ledger.waitingSources(['staff-scim']), await ledger.listRuns(20)];
      const open = runs.some(({ status }) => ['planning', 'delivering'].includes(status));
      if (waiting.length === 0 && !open) return runs;
      await pause(20);
    }
  }
  const called = (): string[] => idp.server.sandbox.calls.flatMap(({ email }) => email ?? []).toSorted();

  /** Approves a run by the API. */
  async function approve({ id: run, plan }: Run): Promise<void> {
    const token = await idp.server.token(`approver of ${run}`, ['approve']);
    const { status, text } = await idp.server.ask(`/api/v1/runs/${run}/approve`, {
      method: 'POST',
      token,
      body: { hash: plan?.hash },
    });
    assert.equal(status, 200, text);
  }
  const ids: string[] = [];

  test('are missed in words that say what to do', async () => {
    await assert.rejects(
      openForRun(idp.server.context, { source: 'staff-scim', service: 'any', anew: true }),
      /^NoUsableRowsError: Your identity provider has pushed nobody to staff-scim yet.*docs\/scim\.md/,
    );
  });

  test('begin no run, and no failure, as long as none of them is in a group', async () => {
    await idp.addGroup('Later', []);
    assert.deepEqual(await settled(), []);
    for (const name of ['ann.lee', 'bo.dahl', 'cleo.ek']) ids.push(await idp.addUser(name));
    assert.deepEqual(await settled(), []);
    assert.match(idp.server.logged(), /nobody can be sent yet/);
  });

  test('become one run; the first one is held, and once it is approved each gets one call with all of their groups', async () => {
    const inner = await idp.addGroup('Sales; North', [String(ids[0])]);
    await idp.addGroup('Everybody', [inner, String(ids[1])]);
    const [run, ...others] = await settled();
    assert.deepEqual([run?.status, run?.trigger, others.length], ['held', 'event', 0]);
    assert.deepEqual(called(), []);
    const rejects = await idp.server.context.ledger.listRejects(String(run?.id), { limit: 10 });
    assert.deepEqual(
      rejects.map(({ reason }) => reason),
      ['no group: groupNames is empty'],
    );
    assert.ok(run);
    await approve(run);
    await settled();
    assert.deepEqual(called(), ['ann.lee@example.com', 'bo.dahl@example.com']);
    const ann = idp.server.sandbox.calls.find(({ email }) => email === 'ann.lee@example.com');
    assert.match(JSON.stringify(ann?.body), /"Sales, North","Everybody"/);
  });

  test('are sent again when their groups change, and not when nothing does', async () => {
    idp.server.sandbox.clearCalls();
    await idp.addGroup('Cleo’s', [String(ids[2])]);
    await idp.patch(`/Users/${ids[0]}`, { op: 'replace', path: 'title', value: 'Head' });
    const [run] = await settled();
    assert.equal(run?.status, 'finished', JSON.stringify(run?.plan));
    assert.deepEqual(called(), ['cleo.ek@example.com']);
    idp.server.sandbox.clearCalls();
    const before = (await settled()).length;
    await idp.patch(`/Users/${ids[0]}`, { op: 'replace', path: 'title', value: 'Head' });
    assert.equal((await settled()).length, before);
    assert.deepEqual(called(), []);
  });

  test('are the same person under a new address, which waits for a decision; created anew they may be another', async () => {
    idp.server.sandbox.clearCalls();
    const { ledger, service } = idp.server.context;
    const waits = async (): Promise<[string | undefined, string][]> => {
      const [run] = await settled();
      const rejects = await ledger.listRejects(String(run?.id), { limit: 10 });
      return rejects.map(({ identityChange, reason }) => [identityChange, reason]);
    };
    const to = 'ann.ek@example.com';
    await idp.patch(
      `/Users/${ids[0]}`,
      { op: 'Replace', path: 'userName', value: to },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: to },
    );
    const [first, ...others] = await waits();
    assert.deepEqual([first?.[0], others, called()], ['moved', [], []]);
    assert.match(String(first?.[1]), /was ann\.lee@example\.com until now: waits until somebody says/);
    const change = { service: service.address, oldKey: 'ann.lee@example.com', newKey: to };
    await decideMove(ledger, { ...change, decision: 'renamed-there' });
    await idp.patch(`/Users/${ids[0]}`, { op: 'replace', path: 'title', value: 'Chief' });
    assert.deepEqual([await waits(), called()], [[], [to]]);

    const groupsOf = async (id: string | undefined): Promise<number> => {
      const { Resources } = (await idp.ask('GET', '/Groups')).json as {
        Resources: { members?: { value: string }[] }[];
      };
      return Resources.filter(({ members = [] }) => members.some(({ value }) => value === id)).length;
    };
    assert.notEqual(await groupsOf(ids[2]), 0);
    await idp.ask('DELETE', `/Users/${ids[2]}`);
    assert.equal(await groupsOf(ids[2]), 0, 'who is deleted is in no group');
    ids[2] = await idp.addUser('cleo.ek');
    await idp.addGroup('Cleo’s again', [ids[2]]);
    assert.deepEqual([(await waits()).map(([what]) => what), called()], [['recycled'], [to]]);
  });

  test('count as left once they are not active, and are asked for by name only until they are forgotten', async () => {
    await idp.patch(`/Users/${ids[1]}`, { op: 'Replace', path: 'active', value: 'False' });
    const [run] = await settled();
    assert.equal(run?.roster?.counts.filtered, 1);
    await idp.server.context.ledger.erasePerson({ key: 'cleo.ek@example.com', instead: 'erased' });
    assert.equal((await idp.ask('GET', `/Users/${ids[2]}`)).status, 404);
    assert.equal((await idp.ask('GET', `/Users/${ids[1]}`)).json.active, false);
    assert.doesNotMatch(idp.server.logged(), /example\.com|rstk_/);
  });
});
