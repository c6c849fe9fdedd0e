// Opens the people of an LDAP directory as a roster.
import { refusal } from '../../core/errors.ts';
import { FilterParser, type Entry } from 'ldapts';
import type { LdapSource } from './ldap-schema.ts';
import { namesInOneCell } from '../../core/cells/read-cell.ts';
import { quote } from '../../core/text/format.ts';
import { listOf } from '../../core/words/words.ts';
import { notesOfRenamed } from '../fetch/group-tables.ts';
import { triesOf, tryAgain } from '../fetch/tries.ts';
import { authorityOf } from '../files/read-failure.ts';
import { openRecords } from '../open-records.ts';
import type { RosterFile, SourceDeps } from '../roster-file.ts';
import { foldDn, readGroups } from './ldap-groups.ts';
import { LdapSession } from './ldap-session.ts';

const usual = listOf('ldap-attributes');
/** A column that can be an attribute; others are of our making, or paths. */
const attributeName = /^[a-z][\w-]*$/i;

/** All have arrived when this returns. Throws an `InputError` when any of it cannot be had. */
export async function openLdap(at: LdapSource, deps: SourceDeps): Promise<RosterFile> {
  const { caFile, filter, groups, url } = at;
  if (filter !== undefined) checkFilter(filter, 'ldap.filter', deps.name);
  if (groups) checkFilter(groups.filter, 'ldap.groups.filter', deps.name);
  const settings = { ...at, ...(await authorityOf(caFile)) };
  const tries = triesOf(at, deps);
  return tryAgain(tries, deps, new URL(url).host, async () => {
    await using session = new LdapSession(settings, deps, tries.signal);
    await session.begin();
    return await read(session, at, deps);
  });
}

async function read(session: LdapSession, source: LdapSource, deps: SourceDeps): Promise<RosterFile> {
  const { base, attributes = [], groups: wanted } = source;
  const filter = source.filter ?? (session.isActiveDirectory ? adPeople : people);
  const notes: string[] = [];
  const renamed = new Set<string>();
  const asked = { session, name: deps.name, people: { base, filter }, notes };
  const groups = wanted && (await readGroups({ ...asked, wanted }));
  const { paths = [], known = [] } = deps.open ?? {};
  const named = [...paths, ...known].filter((path) => attributeName.test(path));
  const isReal = new Set([...usual(), ...attributes].map((name) => name.toLowerCase()));
  const names = [...new Set([...usual(), ...attributes, ...named])];
  const records = async function* (): AsyncGenerator {
    for await (const entry of session.search(base, { filter, attributes: names })) {
      const record = recordOf(entry);
      yield groups ? { ...record, groupNames: namesInOneCell(groups.groupsOf(foldDn(entry.dn)), renamed) } : record;
    }
  };
  const roster = await openRecords(records(), {
    ...deps.open,
    known: [...known, ...paths.filter((path) => isReal.has(path.toLowerCase()))],
    name: `${new URL(source.url).host}, ${base}`,
    modifiedAt: deps.now(),
  });
  notes.push(...notesOfRenamed(renamed));
  if (session.referrals > 0) {
    notes.push(`${session.referrals} referrals to other servers were not followed: people may be there.`);
  }
  roster.form.notes.push(...new Set(notes));
  return roster;
}

/** Who is a person where the settings do not say: AD’s computers are users too. */
const adPeople = '(&(objectCategory=person)(objectClass=user))';
const people = '(objectClass=inetOrgPerson)';

/**
 * Refuses a filter that is none (RFC 4515): the library finds that only while it searches, and it would look like trouble
 * that may pass. Throws an `InputError`.
 * @param setting for the message: `ldap.filter`
 */
function checkFilter(filter: string, setting: string, name: string): void {
  try {
    FilterParser.parseString(filter);
  } catch (error) {
    // The library repeats the filter after a colon.
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split(/:| in filter/);
    const said = { name, setting, filter: quote(filter), why: why.toLowerCase() };
    throw refusal('wrongLdapFilter', said, { cause: error });
  }
}

/** The bit of `userAccountControl` that disables an account (ADS_UF_ACCOUNTDISABLE). */
const disabled = 2;
/** 100-nanosecond ticks from 1601 to 1970, in ms. */
const ticksToUnix = 11_644_473_600_000n;
const never = 9_223_372_036_854_775_807n;

/**
 * A record with the attributes of an entry: one value as text, several as a list (of telephone numbers the first), none
 * left out. Added are `dn`, and
 * `accountDisabled` where `userAccountControl` says it; `accountExpires` becomes a day, or nothing where it never does.
 */
export function recordOf(entry: Entry): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entry)) {
    const values = ([value] as (Buffer | Buffer[] | string | string[])[]).flat().map(textOf);
    if (values.length === 1 || (values.length > 1 && name === 'telephoneNumber')) record[name] = values[0];
    else if (values.length > 1) record[name] = values;
  }
  const control = Number(record['userAccountControl']);
  if (record['userAccountControl'] !== undefined && Number.isSafeInteger(control)) {
    // A 32-bit number, which may be negative.
    record['accountDisabled'] = (control & disabled) === disabled ? 'TRUE' : 'FALSE';
  }
  const { accountExpires } = record;
  if (typeof accountExpires === 'string' && /^\d{1,19}$/.test(accountExpires)) {
    record['accountExpires'] = dayOfTicks(BigInt(accountExpires));
  }
  return record;
}

/** The last moment of an account: what sets its last day stores the midnight after it. */
function dayOfTicks(ticks: bigint): string {
  if (ticks === 0n || ticks === never) return '';
  const date = new Date(Number(ticks / 10_000n - ticksToUnix) - 1);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** Text as it is; 16 bytes as a GUID, whose first three parts are little-endian; other bytes as hexadecimal. */
function textOf(value: Buffer | string): string {
  if (typeof value === 'string') return value;
  if (value.length !== 16) return value.toString('hex');
  const [a, b, c] = [value.subarray(0, 4), value.subarray(4, 6), value.subarray(6, 8)].map((part) =>
    Buffer.from(part.toReversed()).toString('hex'),
  );
  return `${a}-${b}-${c}-${value.toString('hex', 8, 10)}-${value.toString('hex', 10)}`;
}
