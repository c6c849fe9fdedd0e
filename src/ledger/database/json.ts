// Makes texts and JSON storable in PostgreSQL.

/** What PostgreSQL cannot store as text: NUL, and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

/** JSON for `jsonb`. What it cannot store becomes U+FFFD: one odd character must not stop everybody. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  // In well-formed JSON only NUL and lone halves are written like this; a text that speaks of them costs a second pass.
  if (!unstorable.test(json)) return json;
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? storableText(part) : withStorableKeys(part),
  );
}

function withStorableKeys(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [storableText(key), value as unknown]));
}

/** A text that PostgreSQL can store. Parameters are made so by the client; what is compared with stored texts is not. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}
