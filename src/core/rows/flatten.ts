// Flattens a nested record into paths and values, and says how deep JSON may be.
import { isRecord, writeKey } from './path.ts';

/** What tells the elements of an array apart, in SCIM and in the answers of HR systems. */
const kinds = ['type', 'label'] as const;
/** The depth to which nested objects are listed. Deeper ones can still be named by their path. */
const mostDepth = 8;

/**
 * Adds the paths of a record's values to a set, in the record's order: `email`, `name.givenName`, for arrays of typed
 * objects `emails[type=work].value`, for arrays of other objects `departments.name`, for arrays of plain values the
 * array's own path. Stops at `most` paths.
 */
export function addPaths(value: unknown, paths: Set<string>, most: number, path = '', depth = 0): void {
  if (paths.size >= most) return;
  if (Array.isArray(value)) addPathsOfArray(value as unknown[], paths, most, path, depth);
  else if (!isRecord(value)) paths.add(path);
  else if (depth < mostDepth) {
    for (const key of Object.keys(value)) {
      const written = writeKey(key);
      addPaths(value[key], paths, most, path === '' ? written : `${path}.${written}`, depth + 1);
    }
  }
}

function addPathsOfArray(
  elements: readonly unknown[],
  paths: Set<string>,
  most: number,
  path: string,
  depth: number,
): void {
  const records = elements.filter(isRecord);
  if (records.length === 0) {
    paths.add(path);
    return;
  }
  const kind = kinds.find((kind) => records.some((record) => typeof record[kind] === 'string'));
  for (const record of records) {
    const own = kind === undefined ? undefined : record[kind];
    const place = kind !== undefined && typeof own === 'string' ? `${path}[${kind}=${writeFilter(own)}]` : path;
    for (const key of Object.keys(record)) {
      if (key !== kind) addPaths(record[key], paths, most, `${place}.${writeKey(key)}`, depth + 1);
    }
  }
}

function writeFilter(text: string): string {
  return /^[\p{L}\p{N}_ -]+$/u.test(text) && text.trim() === text ? text : JSON.stringify(text);
}

/** The deepest nesting that is allowed; HR systems use about ten levels. */
export const deepestJson = 64;

/** Looks at each character once, before parsing: deeper values would break whatever walks through them later. */
export function isDeeper(text: string, most: number = deepestJson): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      for (at++; at < text.length && text.charCodeAt(at) !== 34; at++) if (text.charCodeAt(at) === 92) at++;
    } else if (code === 123 || code === 91) {
      if (++depth > most) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}
