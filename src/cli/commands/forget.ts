// `forget`: erases a person and keeps them out of later runs.
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, findBaseUrl } from '../../../config/load.ts';
import { writeRejectsFile } from '../../../jobs/index.ts';
import type { Context } from '../../wiring/context.ts';
import { BusyError, InputError } from '../../core/errors.ts';
import { isEmailAddress } from '../../core/rows/email-address.ts';
import { forgottenDigest } from '../../core/person/forgotten.ts';
import { maskAddress } from '../../core/person/mask.ts';
import { personKey } from '../../core/person/member.ts';
import type { Erased, Known } from '../../ledger/people/forget.ts';
import { filesHolding } from '../../ledger/directory/search-files.ts';
import { count } from '../../core/text/figures.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { ask } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import { type GlobalOptions, openLedgerSession, withContext } from '../frame/session.ts';

/** The flags of `forget`. */
export interface ForgetOptions extends GlobalOptions {
  yes?: boolean;
  undo?: boolean;
}

/** `roster-sync forget <email>`: erases a person from everything that is kept, and keeps them out. Returns the exit code. */
export async function forgetPerson(email: string, options: ForgetOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  const key = personKey(email);
  if (!isEmailAddress(key)) throw new InputError('Name the person by their e-mail address. Nothing was erased.');
  return withContext(session, { command: 'forget' }, async (context) => {
    if (options.undo) return allowAgain(context, key, { output, options });
    const known = await context.ledger.whatIsKnownOf(key);
    refuseWhileBusy(known);
    const services = servicesOf(config, known);
    output.print(`${maskAddress(key)}: ${inWords(known)}`);
    if (!options.yes) {
      const refusal = await askToErase(output);
      if (refusal !== undefined) return refusal;
    }
    output.note('Erasing. With a large ledger this takes a minute or more.');
    const { erased, left } = await erase(context, { email, key, services });
    const notReached = sayNotReached(context, { known, left });
    output.print(sayErased(erased, services));
    output.print(
      ['Not erased, because roster-sync cannot reach it:', ...notReached.map((line) => `  - ${line}`)].join('\n'),
    );
    const { runsWithRejects: _, ...counts } = erased;
    if (options.json) output.json({ person: maskAddress(key), erased: counts, keptOutOf: services, notReached });
    return left.length > 0 ? 1 : 0;
  });
}

function refuseWhileBusy({ inTheWay, inFlight }: Known): void {
  const [run] = inTheWay;
  if (run) {
    const what = run.status === 'planning' ? 'is being planned' : 'waits for an approval';
    const next = run.status === 'planning' ? 'wait for it' : `\`roster-sync cancel ${run.id}\` or approve it first`;
    throw new BusyError(`Run ${run.id} of ${run.source} ${what} with this person in it: ${next}. Nothing was erased.`);
  }
  if (inFlight > 0) {
    throw new BusyError(
      'A call for this person is being made at this moment: try again in a minute. Nothing was erased.',
    );
  }
}

/** Where the person must not be sent any more: where they are known, and at the service that is set. */
function servicesOf(config: Config, known: Known): string[] {
  const baseUrl = findBaseUrl(config);
  const set = baseUrl === undefined ? [] : [parseBaseUrl(baseUrl).address];
  const all = [...new Set([...known.services, ...set])];
  if (all.length > 0) return all;
  throw new InputError(
    'Nobody with this address is known, and no service is configured to keep them out of. Nothing was erased.',
  );
}

function inWords({ sources, deliveries, answers, rejects, storyAnswers, unsent }: Known): string {
  if (sources + deliveries + rejects + storyAnswers === 0)
    return 'nothing is known about this address. It will be kept out of every roster.';
  const waiting = unsent > 0 ? ` ${count(unsent, 'delivery', 'deliveries')} not sent yet will be cancelled.` : '';
  const answered = storyAnswers > 0 ? ` They answered ${count(storyAnswers, 'question')} of stories.` : '';
  return (
    `given something by ${count(sources, 'source')}; ${count(deliveries, 'delivery', 'deliveries')}, ` +
    `${count(answers, 'answer')}, ${count(rejects, 'reject')} mention them.${answered}${waiting}`
  );
}

async function askToErase(output: Output): Promise<number | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    output.problem('Nothing was erased: there is no terminal to ask you on. Run it again with --yes.');
    return 2;
  }
  const question = 'Erase all of it, and never send this person again? You cannot undo the erasure.';
  const reply = await ask(question, { input: process.stdin, output: process.stderr });
  if (reply === 'yes') return undefined;
  output.note('Nothing was erased.');
  return reply === 'interrupted' ? 130 : 0;
}

/** First they are kept out, last the files are scrubbed: dying in between leaves nothing that a second time does not do. */
async function erase(
  context: Context,
  { email, key, services }: { email: string; key: string; services: readonly string[] },
): Promise<{ erased: Erased; left: string[] }> {
  const { ledger, config, directory } = context;
  // Ends runs that a dead process was planning, so that they do not block this one.
  await context.stayAlive();
  const digest = forgottenDigest(await ledger.forgetKey(), key);
  await ledger.blockPeople(services.map((service) => ({ service, digest })));
  const instead = `forgotten-${randomBytes(8).toString('hex')}`;
  const erased = await ledger.erasePerson({ key, instead }).catch((error: unknown) => {
    if (!(error instanceof BusyError)) throw error;
    throw new BusyError(`${error.message} The person is not sent from now on; run this command again to erase them.`);
  });
  await context.backup({ onlyThis: true });
  const texts = [...new Set([key, email.trim()])];
  if (directory) await rewriteRejects(context, directory.rejects, { texts, runs: erased.runsWithRejects });
  await ledger.scrub(config.databaseUrl === undefined);
  return { erased, left: directory ? await filesHolding(directory.path, texts) : [] };
}

/** Files of rejects that hold the person, or held them when they were written, are rewritten, or removed. */
async function rewriteRejects(
  context: Context,
  folder: string,
  { texts, runs }: { texts: readonly string[]; runs: readonly string[] },
): Promise<void> {
  const holding = new Set(await filesHolding(folder, texts));
  for (const file of await readdir(folder)) {
    const runId = file.replace(/-rejects\..*$/, '');
    if (!holding.has(file) && !runs.includes(runId)) continue;
    await rm(join(folder, file), { force: true });
    const left = await context.ledger.listRejects(runId, { limit: 1 });
    if (left.length > 0) await writeRejectsFile(context, runId, join(folder, file));
  }
}

function sayErased(erased: Erased, services: readonly string[]): string {
  const { sources, deliveries, answers, rejects, storyAnswers, cancelled, mentions } = erased;
  const lines = [
    `Erased: what ${count(sources, 'source')} gave, ${count(deliveries, 'delivery', 'deliveries')}, ${count(answers, 'answer')}, ` +
      `${count(rejects, 'reject')}${storyAnswers > 0 ? `, ${count(storyAnswers, 'answer')} to questions` : ''}${mentions > 0 ? `, ${count(mentions, 'other mention')}` : ''}. Totals of runs stay.`,
    ...(cancelled > 0 ? [`${count(cancelled, 'delivery', 'deliveries')} not sent yet will not be sent.`] : []),
    `From now on every roster for ${services.join(', ')} rejects this address; \`forget ADDRESS --undo\` ends that.`,
  ];
  return lines.join('\n');
}

function sayNotReached({ config, directory }: Context, { known, left }: { known: Known; left: string[] }): string[] {
  const isEmbedded = config.databaseUrl === undefined;
  return [
    'the service: the account, its groups and answers are still there; this interface cannot remove anybody',
    'the roster they come from, and files handed out: reports, rejects, lists of people who left, answers',
    isEmbedded
      ? 'copies of the data directory, and ledgers that `doctor --rebuild` moved aside (`ledger-aside-…`)'
      : "PostgreSQL's own backups and write-ahead log, and room it has freed and not yet written over",
    ...known.otherAddresses.map(
      (other) => `another address of theirs, by \`resolve\`: \`roster-sync forget ${other}\``,
    ),
    ...left.map((file) => `${join(directory?.path ?? '', file)} still holds the address: remove it by hand`),
  ];
}

async function allowAgain(
  { ledger }: Context,
  key: string,
  { output, options }: { output: Output; options: ForgetOptions },
): Promise<number> {
  const services = await ledger.unblockPeople([forgottenDigest(await ledger.forgetKey(), key)]);
  if (services === 0) throw new InputError('This address was not forgotten. Nothing was changed.');
  output.print(
    `${maskAddress(key)} may be sent again. The next roster that names them treats them as new: the service may invite them again.`,
  );
  if (options.json) output.json({ person: maskAddress(key), allowedAt: services });
  return 0;
}
