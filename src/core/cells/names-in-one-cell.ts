// Writes several names, such as those of groups, into one cell.

const separator = ';';

/**
 * Several names as one cell, which `split: ';'` takes apart again. A separator inside a name becomes a comma, so that nobody gets
 * into a group because of another group's name.
 * @param renamed gets the names that were changed
 */
export function namesInOneCell(names: readonly string[], renamed: Set<string>): string {
  const written = names.map((name) => {
    if (!name.includes(separator)) return name;
    renamed.add(name);
    return name.replaceAll(separator, ',');
  });
  return written.join(separator);
}
