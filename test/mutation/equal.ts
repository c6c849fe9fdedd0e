import type { Mutant } from './mutants.ts';

/** Changes that were looked at and change nothing that anybody could notice, but memory or time. */
interface Equal {
  file: string;
  /** A part of the line. */
  code: string;
  /** What becomes what. */
  changes: readonly string[];
  why: string;
}

const hashing = 'src/core/hashing';
const faster = 'a faster way to the same answer';
const room = 'how much room a table begins with, or when it grows';
const oneHash = 'a hash of 0 has one text in four thousand million';
const ofTypes = 'a default that only the types ask for';
const laterFeed = 'any number that it has not had';
const probing = 'in which order places are checked';

const looked: readonly Equal[] = [
  { file: `${hashing}/text-set.ts`, code: 'slots.length * fullest', changes: ['> >='], why: room },
  { file: `${hashing}/text-set.ts`, code: 'const segments', changes: ['256 257'], why: room },
  { file: `${hashing}/text-set.ts`, code: 'const firstSlots', changes: ['64 65'], why: room },
  { file: `${hashing}/key-table.ts`, code: 'slot = (slot + 1) & mask', changes: ['1 2', '+ -'], why: probing },
  { file: `${hashing}/key-table.ts`, code: 'this.#size * 2 > this.#numbers.length', changes: ['> >='], why: room },
  { file: `${hashing}/text-set.ts`, code: 'at < slots.length', changes: ['< <='], why: 'no slot is there' },
  { file: `${hashing}/text-set.ts`, code: 'low || 1', changes: ['1 2'], why: oneHash },
  { file: `${hashing}/text-set.ts`, code: '[low = 0, high = 0]', changes: ['0 1'], why: ofTypes },
  { file: `${hashing}/key-table.ts`, code: '[oldHigh = 0, oldLow = 0]', changes: ['0 1'], why: ofTypes },
  { file: `${hashing}/key-table.ts`, code: 'at < numbers.length', changes: ['< <='], why: 'no slot is there' },
  { file: `${hashing}/text-set.ts`, code: '?? 0) + 1', changes: ['1 2'], why: room },
  { file: `${hashing}/text-set.ts`, code: 'high = 0;', changes: ['0 1'], why: 'set before it is read' },
  { file: `${hashing}/text-set.ts`, code: 'low = 0;', changes: ['0 1'], why: 'set before it is read' },
  {
    file: 'src/core/person/member.ts',
    code: 'file === rows[0]?.file',
    changes: ['0 1'],
    why: 'all have one file, or not',
  },
  {
    file: 'src/core/guards/usual.ts',
    code: "cell > '!' && cell < '",
    changes: ['> >=', '< <='],
    why: faster,
  },
  { file: 'src/core/guards/guard-people.ts', code: 'known = 0 }', changes: ['0 1'], why: 'a roster has a member' },
  { file: 'src/core/guards/usual.ts', code: 'cell.charCodeAt(0)', changes: ['0 1'], why: faster },
  { file: 'src/core/guards/usual.ts', code: "{ name: '', rows: 0 }", changes: ['0 1'], why: 'nobody reads it' },
  { file: 'src/core/guards/guard-groups.ts', code: 'a.group < b.group', changes: ['< <='], why: 'they differ' },
  { file: 'src/core/story/completion.ts', code: 'a.group < b.group', changes: ['< <='], why: 'they differ' },
  {
    file: 'src/core/mapping/group-rules.ts',
    code: 'kept.size >= mostKept',
    changes: ['>= >'],
    why: 'one more is kept',
  },
  { file: 'src/core/story/completion.ts', code: 'Array(1024)', changes: ['1024 1025'], why: room },
  {
    file: 'src/core/inspect/presence/presence-taker.ts',
    code: 'this.#ambiguous += 1',
    changes: ['1 2'],
    why: 'it is 0 or not',
  },
  { file: 'src/core/run/schedule.ts', code: 'const { year = 0', changes: ['0 1', '1 2'], why: 'a date has them all' },
  { file: 'src/core/mapping/read-name.ts', code: 'p{L}{3,4}', changes: ['4 5'], why: 'no month has five letters' },
  {
    file: 'src/ledger/moves/record.ts',
    code: 'a.id - b.id',
    changes: ['-  + '],
    why: 'in which order rows are locked',
  },
  {
    file: 'src/core/mapping/read-name.ts',
    code: 'second === 32 ||',
    changes: ['32 33', '47 48', '58 59', '> >=', '< <='],
    why: faster,
  },
  {
    file: 'src/core/cells/days.ts',
    code: 'const short =',
    changes: ['2 3'],
    why: 'no month or day has three digits',
  },
  { file: 'src/core/mapping/unsettled-columns.ts', code: '?? 0) + 1', changes: ['1 2'], why: 'twice as many of each' },
  { file: 'src/core/cells/days.ts', code: "parts.get('hour') ??", changes: ['0 1'], why: 'a clock has them all' },
  { file: 'src/core/guards/usual.ts', code: 'email.endsWith(name)', changes: ['-  + '], why: faster },
  { file: 'src/core/guards/usual.ts', code: 'first < 127', changes: ['< <=', '127 128', '32 33'], why: faster },
  { file: 'src/ledger/moves/begin-run.ts', code: 'spent} >', changes: ['> >='], why: 'the very moment' },
  { file: 'src/core/cells/read-cell.ts', code: '{0,61}[A-Za-z0-9])?', changes: ['0 1'], why: faster },
  { file: 'src/core/rows/flatten.ts', code: 'at < text.length; at++)', changes: ['< <='], why: 'no sign is there' },
  { file: 'src/core/pace/breaker.ts', code: 'probingUntil = 0', changes: ['0 1'], why: 'a millisecond' },
  {
    file: 'src/ledger/moves/release.ts',
    code: 'analyzeIfGrown(',
    changes: ['+ -'],
    why: 'when a table is analysed',
  },
  { file: 'src/ledger/moves/move-run.ts', code: 'greatest(0,', changes: ['0 1'], why: 'a millisecond' },
  {
    file: 'src/core/pace/breaker.ts',
    code: 'state.interval > 0',
    changes: ['0 1'],
    why: 'no probe waits a millisecond',
  },
  { file: 'src/core/pace/breaker.ts', code: 'length < differentPeople', changes: ['< <='], why: 'one more is kept' },
  { file: 'src/core/cells/read-cell.ts', code: "cell === '' || plain", changes: ['|| &&'], why: faster },
  { file: 'src/core/cells/placeholders.ts', code: 'first < 128', changes: ['< <=', '128 129'], why: faster },
  { file: 'src/core/cells/placeholders.ts', code: 'lengths.get(first) ??', changes: ['0 1'], why: faster },
  { file: 'src/core/cells/read-cell.ts', code: '&& ordinary.test(email)', changes: ['<= <'], why: faster },
  { file: 'src/core/rows/json-cutter.ts', code: '#at = 0', changes: ['0 1'], why: 'the first piece sets it' },
  { file: 'src/core/inspect/proposal.ts', code: 'matrix.length > 0', changes: ['0 1'], why: 'none, or two at least' },
  { file: 'src/core/rows/json-cutter.ts', code: 'at < text.length; at++', changes: ['< <='], why: 'no sign is there' },
  { file: 'src/core/guards/guard-groups.ts', code: "now < before ? 'lost'", changes: ['< <='], why: 'they differ' },
  {
    file: 'src/core/headings/read-heading.ts',
    code: '.split(/[[(（]/, 1)',
    changes: ['1 2'],
    why: 'the first is taken',
  },
  { file: 'src/core/scim/patch.ts', code: 'if (close < open)', changes: ['< <='], why: 'they are two signs' },
  { file: 'src/core/scim/match.ts', code: 'return one !== other', changes: ['!== ==='], why: 'ne is asked as not eq' },
  { file: 'src/core/text/nearest.ts', code: 'length: to.length + 1', changes: ['1 2'], why: 'nobody reads it' },
  {
    file: 'src/core/run/schedule.ts',
    code: 'const windowsMs',
    changes: ['+ -', '32 33', '367 368', '366 367'],
    why: faster,
  },
  { file: 'src/ledger/moves/record.ts', code: 'feeds = d.feeds + case', changes: ['1 2'], why: laterFeed },
];

/** Why a mutant changes nothing; undefined where nobody has found that. */
export function whyEqual({ file, was, is }: Mutant, line: string): string | undefined {
  return looked.find((each) => each.file === file && line.includes(each.code) && each.changes.includes(`${was} ${is}`))
    ?.why;
}

/** Whether a mutant is in a value of `list[at] ?? 0` that only the types ask for; one that a test needs runs. */
export function isOfDefault({ at, was }: Mutant, text: string): boolean {
  return (/^\d/.test(was) && text.slice(0, at).endsWith('] ?? ')) || (was === '??' && text[at - 2] === ']');
}
