// Reads the migrations' source text, as the key of the ledger template.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The migrations as they are written, in order: two programs with the same texts make the same tables. */
export function migrationTexts(): string[] {
  const files = readdirSync(import.meta.dirname).filter((name) => /^\d+-.*\.(?:[jt]s|sql)$/.test(name));
  return files.toSorted().map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'));
}
