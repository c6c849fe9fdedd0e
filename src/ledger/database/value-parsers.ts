// Converts SQL values to JavaScript, the same way on both databases.
import { types } from 'pg';
import type { CustomTypesConfig } from 'pg';

/** Type numbers of `pg_type`, where what we want is not what pg gives by itself. */
const int8 = 20;
const int8Array = 1016;
const date = 1082;
const textArray = 1009;

/** A whole number as a number while that is exact, as a BigInt beyond ±(2^53 - 1). */
function wholeNumber(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function wholeNumbers(text: string): (number | bigint | null)[] {
  const cells = byPg(textArray)(text) as (string | null)[];
  return cells.map((cell) => (cell === null ? null : wholeNumber(cell)));
}

const byPg = types.getTypeParser as (oid: number, format?: 'text' | 'binary') => (text: string) => unknown;

function asWritten(text: string): string {
  return text;
}

function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (format !== 'binary') {
    if (oid === int8) return wholeNumber;
    if (oid === int8Array) return wholeNumbers;
    if (oid === date) return asWritten;
  }
  return byPg(oid, format);
}

/**
 * How SQL values become JavaScript values, the same for the embedded and the PostgreSQL ledger:
 *
 * - int2, int4, float4, float8: number · int8: number while exact, else BigInt · numeric: string (exact)
 * - bool: boolean · text, varchar, uuid: string · bytea: Buffer · arrays: arrays of the same
 * - json, jsonb: parsed · timestamptz: Date · date: string `YYYY-MM-DD` (a day has no time zone)
 * - null: null
 *
 * Do not store `timestamp` without time zone: pg reads it in the time zone of the process.
 */
export const valueParsers: CustomTypesConfig = { getTypeParser: getTypeParser as CustomTypesConfig['getTypeParser'] };
