// `left-behind`: lists the groups that people must be taken out of by hand.
import { everyLeftBehind, type LeftBehindFilter, listLeftBehind, markLeftBehind } from '../../acts/left-behind.ts';
import { isEmailAddress } from '../../core/cells/read-cell.ts';
import { defined } from '../../core/defined.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText, count } from '../../core/text/format.ts';
import { personKey } from '../../core/person/member.ts';
import { type LeftBehindRow, leftBehindSheet, renderLeftBehind } from '../../report/files/left-behind.ts';
import { sheetForm, sheetParts } from '../../report/files/sheet.ts';
import { writeWhole } from '../../report/files/whole-file.ts';
import { refuseEmpty } from '../frame/read-flags.ts';
import { askForYes } from '../frame/ask.ts';
import type { Output } from '../frame/output.ts';
import { openLedgerSession, openSession, withActs } from '../frame/session.ts';
import { checkWrittenFiles } from '../frame/written-files.ts';
import type { Options } from '../options.ts';

const shownRows = 50;

/** The figures of the first page, for all of them. */
type Counted = Record<'people' | 'groups' | 'alsoGiven', number> & { at: string };

export async function showLeftBehind(options: Options<'left-behind'>): Promise<number> {
  const filter = filterOf(options);
  const { output: file, excel = false, done = false, json = false } = options;
  if (excel && file === undefined) throw new InputError('--excel says how a CSV file is written: name one with -o.');
  if (options.yes && !done) throw new InputError('--yes goes with --done.');
  // Before writing a file, every place a source reads from must be known.
  const session = file === undefined ? openLedgerSession(options) : openSession(options);
  const { output } = session;
  checkWrittenFiles({ departed: file, excel }, session.config);
  return withActs(session, { command: 'left-behind' }, async (ask) => {
    const countAll = async (): Promise<Counted> => (await ask(listLeftBehind, { ...filter, limit: 1 })) as Counted;
    const found = await countAll();
    const listed = (counted: Counted) => leftBehindSheet(counted, everyLeftBehind(ask, filter));
    if (file !== undefined) {
      await writeWhole(file, sheetParts(listed(found), sheetForm(file, excel)));
      output.note(`${file} lists ${inWords(found)}.`);
    }
    if (!json && file === undefined) await print(everyLeftBehind(ask, filter), found, output);
    if (done && found.groups + found.alsoGiven > 0) {
      const lets = found.alsoGiven > 0 ? ` ${letsGo(found)}` : '';
      const what = found.groups > 0 ? inWords(found) : 'what this source gave';
      const once = found.groups > 0 ? ' Say yes only after you took all of them out at the service.' : '';
      const question = `Mark ${what} as done?${lets}${once}`;
      const alone = `${what}.${lets} Nothing was marked: there is no terminal to ask you on. Add --yes to mark it all.`;
      const otherwise = 'Nothing was marked.';
      const refusal = options.yes ? undefined : await askForYes(question, { otherwise, alone }, output);
      if (refusal !== undefined) return refusal;
      const { groups, by } = await ask(markLeftBehind, { ...filter, before: found.at });
      const said = groups > 0 ? `${inLines(groups)} marked as taken out by hand` : 'What this source gave is let go of';
      output.print(`${said}, by ${escapeText(by)}.`);
    }
    if (json) await output.data(sheetParts(listed(done ? await countAll() : found), { format: 'json' }));
    return 0;
  });
}

function filterOf({ source, group, person }: Options<'left-behind'>): LeftBehindFilter {
  refuseEmpty({ source, group, person });
  if (person !== undefined && !isEmailAddress(personKey(person))) {
    throw new InputError('--person: name the person by their e-mail address.');
  }
  return defined({ source, group, person });
}

const inLines = (groups: number): string => count(groups, 'group membership');

function inWords({ people, groups }: Counted): string {
  return `${inLines(groups)} of ${count(people, 'person', 'people')} to take out by hand`;
}

const letsGo = ({ alsoGiven }: Counted): string =>
  `To ${count(alsoGiven, 'person', 'people')} other sources give what this source gave: they stay in these groups, and it gives them no more.`;

async function print(lines: AsyncIterable<LeftBehindRow>, found: Counted, output: Output): Promise<void> {
  if (found.groups === 0 && found.alsoGiven > 0) {
    output.print(`Nothing has to be taken out by hand. ${letsGo(found)} To say so, add --done.`);
    return;
  }
  if (found.groups === 0) {
    output.print('Nothing is left behind: nobody is known to have a group that no roster gives them.');
    return;
  }
  const rows = [];
  for await (const row of lines) {
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
