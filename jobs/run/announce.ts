// Queues notifications about runs and about answers that could not be kept, once for each change.
import type { PlanningContext } from '../../src/wiring/context.ts';
import { type Notice, noticeOf, noticeOfAnswers, type Subscription } from '../../src/core/run/notification.ts';
import type { Notification } from '../../src/ledger/runs/notifications.ts';

export type Announcing = Pick<PlanningContext, 'ledger' | 'log' | 'notifier'>;

const atOnce = 5;
/** The waits between attempts to notify, ms; the last one repeats for a day. */
const waitsMs = [30_000, 2 * 60_000, 10 * 60_000, 30 * 60_000, 60 * 60_000];

/** Announces a run's state, once for each change, on every channel. Never throws, and never waits for a receiver. */
export async function announce(context: Announcing, runId: string): Promise<void> {
  await enqueue(context, (ledger, all) => ledger.announceRuns(all, runId));
}

/** Tells that the service does not answer a run that delivers, or takes no calls for a minute or longer; once until its state changes. Never throws. */
export async function announceOutage(context: Announcing, runId: string): Promise<void> {
  await enqueue(context, (ledger, all) => ledger.announceEvent(all, { runId, event: 'breaker' }));
}

/** Calls the heartbeat for a roster that has not changed since a run delivered it. Never throws. */
export async function announceUnchanged(context: Announcing, runId: string, at: Date): Promise<void> {
  const [run] = await context.ledger.findRuns(runId).catch(() => []);
  if (run?.status !== 'finished') return;
  const happened = { runId, event: 'finished' as const, occasion: ` unchanged ${at.toISOString()}` };
  await enqueue(context, (ledger, all) => {
    const heartbeats = all.filter(({ channel }) => channel === 'heartbeat');
    return ledger.announceEvent(heartbeats, happened);
  });
}

/** Notifies that due answers could not be kept, unless that was already announced. Never throws. */
export async function announceAnswers(context: Announcing): Promise<void> {
  await enqueue(context, (ledger, all) => ledger.announceAnswers(all));
}

/** The round of one delivering process: reminds of holds once a day, sends what a dead one left, retries. Never throws. */
export async function tendNotifications(context: Announcing): Promise<void> {
  await enqueue(context, (ledger, all) => ledger.remindHolds(all));
  await announceAnswers(context);
  await enqueue(context, (ledger, all) => ledger.announceRuns(all));
}

/** Records what is to be told, and begins to tell it. */
async function enqueue(
  context: Announcing,
  record: (ledger: Announcing['ledger'], all: readonly Subscription[]) => Promise<number>,
): Promise<void> {
  const { ledger, log, notifier } = context;
  if (notifier.subscriptions.length === 0) return;
  try {
    await record(ledger, notifier.subscriptions);
  } catch (error) {
    log.warn({ cause: String(error) }, 'a notification could not be recorded; the next delivering process tries again');
  }
  notifier.inBackground(() => sendDue(context));
}

async function sendDue(context: Announcing): Promise<void> {
  const channels = context.notifier.subscriptions.map(({ channel }) => channel);
  try {
    for (;;) {
      const due = await context.ledger.takeNotifications({ limit: atOnce, waitsMs, channels });
      await Promise.all(due.map((each) => sendOne(context, each)));
      if (due.length < atOnce) return;
    }
  } catch (error) {
    context.log.warn({ cause: String(error) }, 'notifications could not be sent; they are tried again');
  }
}

async function sendOne(context: Announcing, notification: Notification): Promise<void> {
  const { ledger, log, notifier } = context;
  const { id, runId, event, channel, attempts, holds, late } = notification;
  const notice = holds && !late ? await noticeFor(context, notification) : undefined;
  if (late) {
    log.error({ run: runId, event, channel, attempts: attempts - 1 }, 'gave up on a notification after a day');
    await ledger.endNotification(id, 'given-up');
  } else if (notice === undefined) {
    await ledger.endNotification(id, 'outdated');
  } else {
    const { ok, said } = await notifier.send(channel, notice, `${await ledger.ledgerId()}-${id}`);
    if (ok) return ledger.endNotification(id, 'sent');
    log.warn({ run: runId, event, channel, attempt: attempts, said }, 'a notification could not be sent');
    await ledger.noteTrouble(id, said);
  }
}

/** The notice to send; undefined if its subject was erased. */
async function noticeFor({ ledger }: Announcing, { runId, answers, event }: Notification): Promise<Notice | undefined> {
  if (answers) return noticeOfAnswers({ ...answers, dueAt: new Date(answers.dueAt) });
  const facts = runId === null ? undefined : await ledger.noticeFacts(runId, event);
  return facts && noticeOf(facts);
}
