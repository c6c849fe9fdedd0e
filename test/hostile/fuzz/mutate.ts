import type { Chance } from '../../simulation/world/chance.ts';
import type { FuzzTarget } from './target.ts';

/** Bytes that break what does not look. */
const usual = [
  '\0',
  '\xff',
  '\n',
  '\r\n',
  '9'.repeat(400),
  '['.repeat(2000),
  '{"a":'.repeat(300),
  'é',
  '\xed\xa0\x80',
  '-1',
  '4294967296',
  '1e309',
];
const numbers = [
  '0',
  '-1',
  '1',
  '255',
  '65536',
  '2147483648',
  '4294967295',
  '9007199254740993',
  '1e999',
  '0.1',
  '99999999999999999999',
];
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e21,
  0.1,
  '',
  ' ',
  'a',
  'ann@example.com',
  [],
  {},
  [[]],
  [null],
  { a: {} },
  'x'.repeat(5000),
];
const longest = 64 * 1024;

type Change = (bytes: Buffer, chance: Chance) => Buffer;

/** Something near an input: one to six changes of its bytes, its words, its lines or its values. */
export function spoil(target: FuzzTarget, inputs: readonly Buffer[], chance: Chance): Buffer {
  let bytes: Buffer = chance.pick(inputs);
  const changes = changesOf(target, inputs);
  for (
    let left = chance.weighted([
      [1, 4],
      [2, 2],
      [chance.between(3, 8), 1],
    ]);
    left > 0;
    left -= 1
  ) {
    bytes = chance.weighted(changes)(bytes, chance);
  }
  return bytes.length > longest ? bytes.subarray(0, longest) : bytes;
}

function changesOf(target: FuzzTarget, inputs: readonly Buffer[]): [Change, number][] {
  const insert =
    (words: readonly string[]): Change =>
    (bytes, chance) => {
      const [at, word] = [placeIn(bytes, chance), Buffer.from(chance.pick(words), 'latin1')];
      // Half of them take the place of as many bytes.
      return Buffer.concat([bytes.subarray(0, at), word, bytes.subarray(at + (chance.happens(0.5) ? word.length : 0))]);
    };
  const cross: Change = (bytes, chance) => {
    const other = chance.pick(inputs);
    return Buffer.concat([bytes.subarray(0, placeIn(bytes, chance)), other.subarray(placeIn(other, chance))]);
  };
  return [
    [changeBytes, 4],
    [insert(target.words), 5],
    [insert(usual), 1],
    [cross, 1],
    [changeNumber, 1],
    ...(target.form === 'lines' || target.form === undefined ? ([[changeLines, 2]] as [Change, number][]) : []),
    ...(target.form === 'json' ? ([[changeJson(inputs), 6]] as [Change, number][]) : []),
  ];
}

const placeIn = (bytes: Buffer, chance: Chance): number => chance.between(0, bytes.length);

function changeBytes(bytes: Buffer, chance: Chance): Buffer {
  const at = placeIn(bytes, chance);
  const size = chance.weighted([
    [1, 4],
    [chance.between(1, 16), 3],
    [chance.between(1, 400), 1],
  ]);
  const [before, middle, after] = [bytes.subarray(0, at), bytes.subarray(at, at + size), bytes.subarray(at + size)];
  const to = placeIn(before, chance);
  return chance.pick([
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, middle, middle, after]),
    () => Buffer.concat([before, ...Array.from({ length: chance.between(2, 40) }, () => middle), after]),
    () => Buffer.concat([before, Buffer.from(middle.map(() => chance.between(0, 255))), after]),
    () => Buffer.concat([before, Buffer.from(middle.map((byte) => byte ^ (1 << chance.between(0, 7)))), after]),
    () => Buffer.concat([before, Buffer.from(middle.map((byte) => byte + chance.pick([1, -1]))), after]),
    () => Buffer.concat([before.subarray(0, to), middle, before.subarray(to), after]),
    () => before,
  ])();
}

/** Puts another number in the place of one. */
function changeNumber(bytes: Buffer, chance: Chance): Buffer {
  const text = bytes.toString('latin1');
  const found = [...text.matchAll(/\d+/g)];
  if (found.length === 0) return bytes;
  const { 0: number, index } = chance.pick(found);
  const other = chance.happens(0.5) ? chance.pick(numbers) : String(Number(number) + chance.pick([1, -1]));
  return Buffer.from(text.slice(0, index) + other + text.slice(index + number.length), 'latin1');
}

/** Doubles, drops, swaps, indents or repeats lines. */
function changeLines(bytes: Buffer, chance: Chance): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const [one, other] = [chance.between(0, lines.length - 1), chance.between(0, lines.length - 1)];
  const line = lines[one] ?? '';
  chance.pick([
    () => void lines.splice(one, 1),
    () => void lines.splice(other, 0, line),
    () => void lines.splice(one, 1, ...Array.from({ length: chance.between(2, 60) }, () => line)),
    () => void ([lines[one], lines[other]] = [lines[other] ?? '', line]),
    () => void (lines[one] = `  ${line}`),
    () => void (lines[one] = line.trimStart()),
    () => void (lines[one] = line.slice(0, chance.between(0, line.length))),
  ])();
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** Changes one value of a JSON text; what stands before the JSON stays. Other texts are changed as bytes. */
function changeJson(inputs: readonly Buffer[]): Change {
  return (bytes, chance) => {
    const at = bytes.lastIndexOf('\n\n') + 1;
    const tree = parse(bytes.toString('utf8', at));
    if (tree === undefined) return changeBytes(bytes, chance);
    const holder = { root: tree };
    const places = placesIn(holder, []);
    const [into, key] = chance.pick(places);
    const others = placesIn({ root: parse(chance.pick(inputs).toString()) ?? null }, []);
    const [from, name] = chance.pick(others);
    const was = into[key];
    chance.pick([
      () => void (into[key] = chance.pick(values)),
      () => void (into[key] = from[name]),
      () => void (into[key] = [was, was]),
      () => void (into[key] = { [name]: was }),
      () => void (into[chance.pick([name, `${key} `, key.toUpperCase(), '__proto__x', ''])] = was),
      () => void (key !== 'root' && delete into[key]),
      () => void (into[key] = typeof was === 'string' ? was + chance.pick(usual) : String(was)),
    ])();
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(JSON.stringify(holder.root) ?? '')]);
  };
}

type Holder = Record<string, unknown>;

function placesIn(holder: Holder, places: [Holder, string][]): [Holder, string][] {
  for (const [key, value] of Object.entries(holder)) {
    places.push([holder, key]);
    if (typeof value === 'object' && value !== null && places.length < 500) placesIn(value as Holder, places);
  }
  return places;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
