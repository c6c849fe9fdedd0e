import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { leafCommands } from '../../docs/generate.ts';
import { type DocumentName, documentSchema } from '../../src/acts/shapes/documents.ts';

const folder = join(import.meta.dirname, '../../docs/schemas');
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const checks = new Map<DocumentName, ValidateFunction[]>();

/** The documents that were checked in this process. */
export const checkedDocuments = new Set<DocumentName>();

/**
 * Checks the document that a command printed: against the schema as it is published, and that each field is in it.
 * @param words the command, as `place.run` takes it
 * @throws Error naming the fields that are wrong
 */
export function checkDocument(words: readonly string[], stdout: string): void {
  if (!words.includes('--json') || stdout.trim() === '') return;
  const said = words.join(' ');
  const place = (name: string): number => ` ${said} `.indexOf(` ${name} `);
  const named = leafCommands().filter(([name]) => place(name) >= 0);
  const [, command] = named.toSorted(([a], [b]) => place(a) - place(b) || b.length - a.length)[0] ?? [];
  const name = command?.document;
  if (name === undefined) throw new Error(`\`${said}\` prints JSON, and names no document for it (docs/schemas)`);
  const value: unknown = JSON.parse(stdout);
  const compiled = checks.get(name) ?? [
    ajv.compile(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as object),
    ajv.compile(documentSchema(name, { strict: true })),
  ];
  checks.set(name, compiled);
  for (const check of compiled) {
    if (check(value)) continue;
    const wrong = check.errors?.map(({ instancePath, message, params }) => {
      return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
    });
    throw new Error(
      `\`${said}\` prints a document that docs/schemas/${name}.json does not allow:\n${wrong?.join('\n')}`,
    );
  }
  checkedDocuments.add(name);
}
