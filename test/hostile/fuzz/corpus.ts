import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../corpus');
const fileOf = (name: string): string => join(folder, `${name}.json`);
const binary = 'base64:';

/** Inputs that once ran what no other had run; text where they are text. */
export function readCorpus(name: string): Buffer[] {
  if (!existsSync(fileOf(name))) return [];
  const inputs = JSON.parse(readFileSync(fileOf(name), 'utf8')) as string[];
  return inputs.map((input) =>
    input.startsWith(binary) ? Buffer.from(input.slice(binary.length), 'base64') : Buffer.from(input),
  );
}

/** Keeps inputs for the next search and for the tests. */
export function writeCorpus(name: string, inputs: readonly Buffer[]): void {
  mkdirSync(folder, { recursive: true });
  const texts = inputs.map((bytes) => {
    const text = bytes.toString();
    return Buffer.from(text).equals(bytes) && !text.startsWith(binary) ? text : binary + bytes.toString('base64');
  });
  writeFileSync(fileOf(name), `${JSON.stringify(texts, undefined, 2)}\n`);
}
