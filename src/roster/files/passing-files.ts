// Tells files that are never a roster: hidden ones, locks, and what is still being written.

/** Hidden files, locks of Excel and LibreOffice, what systems add of their own, and what programs write until they are done. */
const passing =
  /^(?:\.|~\$|__MACOSX$|thumbs\.db$|desktop\.ini$)|\.(?:part|partial|filepart|crdownload|download|te?mp|swp|lock|lck)$|~$/i;

/** Whether a name, or that of a folder in a path inside an archive, is that of a file that nobody means. */
export function isPassing(path: string): boolean {
  return path.split('/').some((name) => passing.test(name));
}

/** Whether a pattern means a file that matches it: one that passes only where the pattern says so itself, such as `*.tmp`. */
export function isMeant(path: string, pattern: string): boolean {
  return !passing.test(nameIn(path)) || passing.test(nameIn(pattern));
}

function nameIn(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
