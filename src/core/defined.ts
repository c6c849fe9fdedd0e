// Leaves out of an object the fields that have no value.

export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const name in fields)
    if (fields[name] !== undefined) kept[name] = fields[name] as Exclude<T[typeof name], undefined>;
  return kept;
}
