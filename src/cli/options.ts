// The options that each command gets: those of `src/data/commands`, as `npm run schema` lists them, and those of all.
import type { GlobalOptions } from './frame/session.ts';
import type declared from './options.json';

type Declared = typeof declared;

/** The options of a kind with the values of it; nothing for a command without any. */
type Of<Kinds, Kind extends string, Value> =
  Kinds extends Record<Kind, infer Named> ? { [Name in keyof Named]: Value } : unknown;

/** The options of one command alone: `Flags<'show'>`. */
export type Flags<Command extends keyof Declared, Kinds = Declared[Command]> = Of<Kinds, 'given', string> &
  Of<Kinds, 'lists', string[]> &
  Of<Kinds, 'pairs', Record<string, string>> &
  Of<Kinds, 'onUnlessNot', boolean> &
  Partial<Of<Kinds, 'texts', string> & Of<Kinds, 'switches', boolean> & Of<Kinds, 'textsOrAll', string | true>>;

export type Options<Command extends keyof Declared> = GlobalOptions & Flags<Command>;
