// The names of the months in the languages of exports.
import { headingKey } from '../words/keys.ts';
import { words } from '../words/words.ts';

let months: ReadonlyMap<string, ReadonlySet<number>> | undefined;

/** Long and short names, alone and beside a day: Slavic languages write `październik`, but `31 października`. */
function gather(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const language of [...words().languages, 'en-GB']) {
    for (const length of ['long', 'short'] as const) {
      for (const beside of [{}, { day: 'numeric' } as const]) {
        const names = new Intl.DateTimeFormat(language, { ...beside, month: length, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month += 1) {
          const parts = names.formatToParts(Date.UTC(2026, month - 1, 15));
          const key = headingKey(parts.find(({ type }) => type === 'month')?.value ?? '');
          found.set(key, (found.get(key) ?? new Set()).add(month));
        }
      }
    }
  }
  return found;
}

export function monthNamed(name: string): number | undefined {
  months ??= gather();
  const [month, ...others] = months.get(headingKey(name)) ?? [];
  return others.length === 0 ? month : undefined;
}
