// Turns an entry of a directory into a record.
import type { Entry } from 'ldapts';

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

function dayOfTicks(ticks: bigint): string {
  if (ticks === 0n || ticks === never) return '';
  const date = new Date(Number(ticks / 10_000n - ticksToUnix));
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
