import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Files of a data directory that hold a text, whatever they are and in whatever case; the backup is searched unpacked. */
export function holding(data: string, text: string): string[] {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1').toLowerCase().includes(text);
    });
}
