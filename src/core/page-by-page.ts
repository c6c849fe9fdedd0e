// Reads a long list page by page.

/**
 * Everything of a list, in its order.
 * @param first the key before all others
 * @param read gives at most this many that come after a key; none at the end
 */
export async function* pageByPage<Row, Key>(
  first: Key,
  read: (after: Key, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
  limit = 500,
): AsyncGenerator<Row> {
  for (let after = first; ;) {
    const rows = await read(after, limit);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = keyOf(last);
  }
}
