// Says what was noticed of a roster, in the sentences of `src/data/remarks`.
import { dataOf } from '../../data/data.ts';
import type { Remarks } from '../../data/schemas/remarks.ts';
import { figure } from '../text/figures.ts';

export const remarks = dataOf<Remarks, Remarks>('remarks', {
  by: (files) => Object.assign({}, ...Object.values(files)) as Remarks,
  code: [import.meta.filename],
});

/** The remark of a name about so many, with what its braces stand for. */
export function say(name: string, count: number, said: Readonly<Record<string, string | number>> = {}): string {
  return (remarks()[name] ?? name)
    .replaceAll(/\[([^|\]]*)\|([^\]]*)\]/g, (_, one: string, many: string) => (count === 1 ? one : many))
    .replaceAll(/#(?= )|\{(\w+)\}/g, (_, key?: string) => (key === undefined ? figure(count) : String(said[key])));
}
