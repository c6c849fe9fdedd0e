// `left-behind`: lists the groups that people must be taken out of by hand.
import { isEmailAddress } from '../../core/cells/email-address.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { personKey } from '../../core/person/member.ts';
import type { LedgerContext } from '../../wiring/context.ts';
import type { LeftBehindCount, LeftBehindFilter, LeftBehindPlace } from '../../ledger/people/left-behind-list.ts';
import { count } from '../../core/text/figures.ts';
import { leftBehindCsv, leftBehindJson, leftBehindRows, renderLeftBehind } from '../../report/files/left-behind.ts';
import { writeWhole } from '../../report/files/whole-file.ts';
import { askForYes, isTerminal } from '../frame/ask.ts';
import { osUser } from '../frame/os-user.ts';
import type { Output } from '../frame/output.ts';
import { type GlobalOptions, openLedgerSession, openSession, withLedger } from '../frame/session.ts';
import { checkWrittenFiles } from '../frame/written-files.ts';

export interface LeftBehindOptions extends GlobalOptions {
  source?: string;
  group?: string;
  person?: string;
  output?: string;
  excel?: boolean;
  /** Mark what is listed as taken out by hand. */
  done?: boolean;
  yes?: boolean;
}

const shownRows = 50;
const markedAtOnce = 500;

export async function listLeftBehind(options: LeftBehindOptions): Promise<number> {
  const filter = filterOf(options);
  const { output: file, excel = false, done = false, json = false } = options;
  if (excel && file === undefined) throw new InputError('--excel says how a CSV file is written: name one with -o.');
  if (options.yes && !done) throw new InputError('--yes goes with --done.');
  // Before writing a file, every place a source reads from must be known.
  const session = file === undefined ? openLedgerSession(options) : openSession(options);
  const { output } = session;
  checkWrittenFiles(file === undefined ? {} : { departed: file }, session.config);
  return withLedger(session, { command: 'left-behind' }, async (context) => {
    const { ledger } = context;
    const found = await ledger.countLeftBehind(filter);
    if (file !== undefined) {
      await writeWhole(file, leftBehindCsv(leftBehindRows(ledger, filter), excel));
      output.note(`${file} lists ${inWords(found)}.`);
    }
    if (!json && file === undefined) await print(context, filter, { found, output });
    const refusal = done ? await markDone(context, filter, { found, output, yes: options.yes ?? false }) : undefined;
    if (refusal !== undefined) return refusal;
    if (json) {
      const left = done ? await ledger.countLeftBehind(filter) : found;
      await output.data(leftBehindJson(left, leftBehindRows(ledger, filter)));
    }
    return 0;
  });
}

function filterOf({ source, group, person }: LeftBehindOptions): LeftBehindFilter {
  for (const [flag, value] of Object.entries({ '--source': source, '--group': group, '--person': person })) {
    if (value?.trim() === '') throw new InputError(`${flag}: it must not be empty.`);
  }
  if (person !== undefined && !isEmailAddress(personKey(person))) {
    throw new InputError('--person: name the person by their e-mail address.');
  }
  return {
    ...defined({ source, group: group?.normalize('NFC') }),
    ...(person !== undefined && { person: personKey(person) }),
  };
}

function inWords({ people, groups }: LeftBehindCount): string {
  return `${count(groups, 'group membership')} of ${count(people, 'person', 'people')} to take out by hand`;
}

async function print(
  { ledger }: LedgerContext,
  filter: LeftBehindFilter,
  { found, output }: { found: LeftBehindCount; output: Output },
): Promise<void> {
  if (found.groups === 0) {
    output.print('Nothing is left behind: nobody is known to have a group that no roster gives them.');
    return;
  }
  const rows = [];
  for await (const row of leftBehindRows(ledger, filter)) {
    rows.push(row);
    if (rows.length === shownRows) break;
  }
  output.print(renderLeftBehind(rows, output.style));
  const more = found.groups - rows.length;
  output.print(
    `${inWords(found)}${more > 0 ? `; ${count(more, 'more line')}: -o FILE writes all` : ''}. ` +
      'After you took them out at the service: roster-sync left-behind --done',
  );
}

/** Marks what was counted as taken out by hand. Returns an exit code where that was not done. */
async function markDone(
  { ledger }: LedgerContext,
  filter: LeftBehindFilter,
  { found, output, yes }: { found: LeftBehindCount; output: Output; yes: boolean },
): Promise<number | undefined> {
  if (found.groups === 0) return undefined;
  if (!yes) {
    const line = inWords(found);
    if (!isTerminal()) {
      output.problem(`${line}. Nothing was marked: there is no terminal to ask you on. Add --yes to mark them all.`);
      return 2;
    }
    const question = `Mark ${line} as done? Say yes only after you took all of them out at the service.`;
    const refusal = await askForYes(question, 'Nothing was marked.', output);
    if (refusal !== undefined) return refusal;
  }
  const by = osUser();
  let marked = 0;
  let after: LeftBehindPlace | undefined;
  do {
    const how = { before: found.at, by, limit: markedAtOnce, ...defined({ after }) };
    const { groups, next } = await ledger.markLeftBehindDone(filter, how);
    marked += groups;
    after = next;
  } while (after);
  await ledger.noteDeed({ by, action: `mark ${marked} left behind as done`, origin: '' });
  output.print(`${count(marked, 'group membership')} marked as taken out by hand, by ${escapeText(by)}.`);
  return undefined;
}
