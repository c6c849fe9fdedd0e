// Finds settings whose environment variable is not set, and leaves out those a command can do without.
import { InputError } from '../src/core/errors.ts';
import type { Entry, Unset } from './entries.ts';

export interface Usable {
  merged: ReadonlyMap<string, Entry>;
  leftOut: readonly Unset[];
  /** The settings that no command can do without, each as one line. */
  problems: string[];
}

/** A problem, unless only the ledger is asked: then what concerns service, notifications or sign-in may lack. */
export function leaveOutUnset(merged: ReadonlyMap<string, Entry>, onlyLedger: boolean): Usable {
  const unset = [...merged.values()].flatMap((entry) => entry.unset ?? []);
  const leftOut = onlyLedger ? unset.filter(mayLack) : [];
  const problems = unset.filter((one) => !leftOut.includes(one)).map(({ problem }) => problem);
  return { merged: new Map([...merged].flatMap(([name, entry]) => without(name, entry))), leftOut, problems };
}

function mayLack({ path: [section, name, key] }: Unset): boolean {
  return (
    section === 'service' ||
    section === 'notify' ||
    (section === 'server' && name === 'signIn') ||
    (section === 'sources' && key !== undefined && key !== 'schedule')
  );
}

/** The entry, if anything is left of it: a source without the incomplete keys. */
function without(name: string, entry: Entry): [string, Entry][] {
  const { unset = [], setting, value } = entry;
  if (unset.length === 0) return [[name, entry]];
  if (setting.name !== 'sources') return [];
  const sources = Object.entries(value as Record<string, unknown>).map(([source, settings]) => {
    const lacking = new Set(unset.filter(({ path }) => path[1] === source).map(({ path }) => path[2]));
    if (lacking.size === 0 || settings === null || typeof settings !== 'object') return [source, settings];
    return [source, Object.fromEntries(Object.entries(settings).filter(([key]) => !lacking.has(key)))];
  });
  return [[name, { ...entry, value: Object.fromEntries(sources) as unknown }]];
}

/** Throws an `InputError` if a setting was left out, since the variable that it needs is not set. */
export function requireUnlessLeftOut(leftOut: readonly Unset[], name: string): void {
  const lacking = leftOut.find(({ path }) => path.join('.') === name);
  if (lacking) throw new InputError(`${lacking.problem}.`);
}
