// Opens the users that an identity provider pushed to a source as its roster.
import type { Context } from '../../src/wiring/context.ts';
import { type MappingOptions, columnsToRead } from '../../src/core/mapping/mapping-options.ts';
import { namesInOneCell } from '../../src/core/cells/names-in-one-cell.ts';
import { NobodyUsable } from '../../src/core/errors.ts';
import { quote } from '../../src/core/text/quote.ts';
import type { RosterFile } from '../../src/roster/roster-file.ts';

/** The users that are read from the ledger at a time. */
const usersAtOnce = 500;

function nobodyPushed(source: string): NobodyUsable {
  return new NobodyUsable(
    `Your identity provider has pushed nobody to ${source} yet, or has deleted everybody. Give it the address ` +
      `/scim/v2/${source} of \`serve\` and a token (\`roster-sync token create --name ${source} --scope scim:${source}\`), ` +
      'and start its provisioning; docs/scim.md says how.',
  );
}

/**
 * Opens everybody who was pushed to a source: a row each, with the names of their groups in the column `groupNames`.
 * @throws NobodyUsable where there is nobody
 */
export async function openPushed(
  { ledger }: Pick<Context, 'ledger'>,
  source: string,
  columns: MappingOptions,
): Promise<RosterFile> {
  if ((await ledger.pushedUsers({ source, after: 0, limit: 1 })).length === 0) throw nobodyPushed(source);
  const renamed = new Set<string>();
  async function* records(): AsyncGenerator<Record<string, unknown>> {
    let after = 0;
    for (;;) {
      const users = await ledger.pushedUsers({ source, after, limit: usersAtOnce });
      for (const { number, id, resource, groups } of users) {
        after = number;
        yield { ...resource, id, groupNames: namesInOneCell(groups, renamed) };
      }
      if (users.length < usersAtOnce) return;
    }
  }
  const { openRecords } = await import('../../src/roster/open-records.ts');
  const roster = await openRecords(records(), { name: `${source} (SCIM)`, ...columnsToRead(columns) });
  for (const name of renamed) {
    roster.form.notes.push(`The group ${quote(name)} is written with commas: a ; parts groups.`);
  }
  return roster;
}
