// Decides which columns of a roster are asked who has left or not started.
import type { SourceConfig } from '../../config/source-schema.ts';
import { defined } from '../../src/core/defined.ts';
import { PresenceTaker } from '../../src/core/inspect/presence/presence-taker.ts';
import type { Mapping } from '../../src/core/mapping/mapping.ts';

/** What collects who of a roster has left or not started; undefined if the settings of its source say who is sent. */
export function askPresence(
  source: SourceConfig | undefined,
  header: readonly string[],
  mapping: Mapping,
): PresenceTaker | undefined {
  return isPresenceKnown(source, mapping) ? undefined : takerOf(header, mapping);
}

/** Whether the settings say who of a roster is sent: that everybody is, or by the rules of a preset, which knows its columns. */
function isPresenceKnown(
  source: SourceConfig | undefined,
  { only, except, leavers }: Pick<Mapping, 'only' | 'except' | 'leavers'>,
): boolean {
  if (source?.everybody === true) return true;
  return source?.preset !== undefined && only.length + except.length + leavers.length > 0;
}

/** Collects what columns say that no rule judges: `only` for one column says nothing of the last days in another. */
function takerOf(header: readonly string[], mapping: Mapping): PresenceTaker {
  const { today, fields, groups, only, except, leavers } = mapping;
  const asked = [...(fields.startDate?.columns ?? []), ...groups.flatMap(({ columns }) => columns)];
  const settled = [...only, ...except, ...leavers].flatMap(({ column }) => column?.index ?? []);
  return new PresenceTaker(header, {
    except: asked.map(({ index }) => index),
    settled: new Set(settled),
    ...defined({ today }),
  });
}
