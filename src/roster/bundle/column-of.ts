// Finds a column by name, in any case.

/** The column of a header that is meant by a name: as it is written, else in any case. */
export function columnOf(header: readonly string[], name: string): number {
  const wanted = name.trim();
  const exact = header.findIndex((column) => column.trim() === wanted);
  if (exact !== -1) return exact;
  return header.findIndex((column) => column.trim().toLowerCase() === wanted.toLowerCase());
}
