// Describes the first few rejects in one line.
import { escapeText, shownText, figure } from '../../core/text/format.ts';
import { forgottenReason } from '../../core/person/forgotten.ts';
import { formerAddress, type Reject } from '../../core/rows/row.ts';
import { commandOf } from './commands.ts';
import { clip } from './layout.ts';

const mostOfValue = 40;
const mostOfReason = 100;
/** Of a command to be typed nothing may be missing, however long its two addresses are. */
const mostOfCommand = 1500;

/**
 * Says the first few rejects in short: `line 14 Work Email empty`, `line 88 "jane@" is not an e-mail address`,
 * and `2 more` for those of the total that are not among them. Rows rejected alike are said once. Where the roster is made
 * of several files, each says its own. `hasVerbose` where `--verbose` would show more of them.
 */
export function describeRejects(
  samples: readonly Reject[],
  total: number,
  roster?: string,
  hasVerbose = false,
): string[] {
  if (samples.length === 0) return hasVerbose ? ['--verbose names them'] : [];
  const files = new Set(samples.map(({ file }) => file));
  const severalFiles = files.size > 1 || (roster !== undefined && !files.has(roster));
  const folder = roster === undefined ? '' : roster.slice(0, roster.lastIndexOf('/') + 1);
  const nameOf = (file: string): string => escapeText(file.startsWith(folder) ? file.slice(folder.length) : file);
  const alike = Map.groupBy(samples, ({ file, column, value, reason }) =>
    JSON.stringify([file, column, value, reason]),
  );
  const said = [...alike.values()].flatMap((rejects) => {
    const [first] = rejects;
    if (!first) return [];
    const lines = `${rejects.length > 1 ? 'lines' : 'line'} ${rejects.map(({ line }) => line).join(', ')}`;
    return [`${severalFiles ? `${nameOf(first.file)} ` : ''}${lines} ${fault(first, rejects.length > 1)}`];
  });
  const left = total - samples.length;
  return left > 0 ? [...said, `${figure(left)} more${hasVerbose ? ' (--verbose)' : ''}`] : said;
}

function fault(reject: Reject, several: boolean): string {
  const { column, value, identityChange } = reject;
  const reason = withCommand(reject);
  // Rows that blame each other name all their lines; here those are in front already.
  const said = shownText(several ? reason.replace(/: lines .*$/, '') : reason, mostOfCommand);
  const why = clip(said, identityChange === undefined ? mostOfReason : mostOfCommand);
  if (value.trim() === '')
    return reason.endsWith(' is empty') && !reason.includes(':') ? `${shownText(column)} empty` : why;
  if (column === '' || reason.includes(value)) return why;
  return `${shownText(column)} "${clip(shownText(value), mostOfValue)}": ${why}`;
}

/** Why a row is rejected, with the command that decides about it. What older versions kept has it already. */
function withCommand({ value, reason, identityChange }: Reject): string {
  if (reason === forgottenReason) return `${reason}; "${commandOf({ act: 'people.allow' })}" allows it`;
  const [before, after] = reason.split(/ waits until somebody says .*$/s);
  if (identityChange === undefined || after === undefined) return reason;
  const old = formerAddress(reason) || value;
  const resolve = commandOf({ act: 'people.resolveMoves', old, new: value });
  if (identityChange === 'renamed') {
    return `${before} correct it in the roster, or run \`${resolve} --new-account\` where it is an account of its own, or with --renamed-there where it was renamed back`;
  }
  return identityChange === 'moved'
    ? `${before} waits for \`${resolve} --renamed-there\` where the account was renamed at the service as well, or with --new-account where it was not`
    : `${before} waits for \`${resolve} --new-account\` where they are two people, or with --renamed-there where one person has a new id`;
}
