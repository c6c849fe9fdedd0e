import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { SourceLocation } from '../../../src/roster/places.ts';
import type { SourceDeps } from '../../../src/roster/roster-file.ts';
import { mapRow } from '../../../src/core/mapping/map-row.ts';
import { resolveColumns } from '../../../src/core/mapping/mapping.ts';
import type { MappingOptions } from '../../../src/core/mapping/mapping-options.ts';
import type { Member } from '../../../src/core/person/member.ts';
import { isReject } from '../../../src/core/rows/row.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { openSource } from '../../../src/roster/configured-source.ts';
import { findPreset, rulesFor } from '../../../src/roster/presets/presets.ts';
import { listenHttp, sendJson, type Arrival } from '../../service/local-server.ts';
import { deps } from '../fetch/fetching.ts';

/** What a source came to. */
export interface Found {
  members: Member[];
  filtered: string[];
  /** The line and the reason of each. */
  rejects: [line: number, reason: string][];
  ids: (string | undefined)[];
  notes: string[];
  header: string[];
}

/** Reads a source by its preset’s own rules, or by what is given instead of them. */
export async function readSource(
  location: SourceLocation,
  mapping: Partial<MappingOptions> = {},
  given: SourceDeps = deps(),
): Promise<Found> {
  const roster = await openSource(location, given);
  try {
    const { header, notes } = roster.form;
    const defaults = location.preset === undefined ? {} : rulesFor(findPreset(location.preset), header);
    const resolved = resolveColumns(header, { groups: [], groupColumns: [], defaults, ...mapping });
    const found: Found = { members: [], filtered: [], rejects: [], ids: [], notes, header };
    for await (const batch of roster.batches()) {
      for (const row of batch) {
        const mapped = isReject(row) ? row : mapRow(row, resolved);
        if (isReject(mapped)) found.rejects.push([mapped.line, mapped.reason]);
        else if ('filtered' in mapped) found.filtered.push(mapped.filtered);
        else {
          found.members.push(mapped.member);
          found.ids.push(mapped.employeeId);
        }
      }
    }
    return found;
  } finally {
    await roster.close();
  }
}

/** A recorded answer, as JSON. */
export function recorded(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../../fixtures/presets', name), 'utf8')) as unknown;
}

/** How a server answers: by method and path, with what of the request decides. */
export type Routes = Record<string, (arrival: Arrival, query: URLSearchParams) => unknown>;

/** A server that answers as recorded; what it has no answer for is a 404. */
export async function serve(t: TestContext, routes: Routes): Promise<{ base: string; arrivals: Arrival[] }> {
  return listenHttp(t, (response, arrival) => {
    const { pathname, searchParams } = new URL(arrival.path, 'http://127.0.0.1');
    const route = routes[`${arrival.method} ${pathname}`];
    if (!route) return sendJson(response, { error: `nothing at ${arrival.method} ${arrival.path}` }, 404);
    const answer = route(arrival, searchParams);
    if (typeof answer === 'string') return void response.writeHead(200, { 'content-type': 'text/csv' }).end(answer);
    sendJson(response, answer);
  });
}

/** Texts as an account has them. */
export function account(values: Record<string, string>): Record<string, Secret> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, new Secret(value)]));
}

/** Members as short as a test wants them: `Ada Berg <ada@…>: A, B`. */
export function short(members: readonly Member[]): string[] {
  return members.map(
    ({ firstname, lastname, email, telephone, groups }) =>
      `${firstname} ${lastname} <${email}>${telephone === undefined ? '' : ` ${telephone}`}: ${groups.join(', ')}`,
  );
}
