// Finds the next page in a `Link` header.

/** The `rel="next"` of a `Link` header (RFC 8288). Each character is read a few times at most, whatever the header says. */
export function nextLink(header: string | undefined): string | undefined {
  let rest = 0;
  const text = header ?? '';
  for (;;) {
    const from = text.indexOf('<', rest);
    const to = from === -1 ? -1 : text.indexOf('>', from);
    if (to === -1) return undefined;
    const { values, end } = parametersFrom(text, to + 1);
    if (values.some(isNext)) return text.slice(from + 1, to);
    rest = end;
  }
}

/** The parameters of one link, such as ` rel="next"`, and where they end: at a comma that is not in quotes. */
function parametersFrom(text: string, from: number): { values: string[]; end: number } {
  const values: string[] = [];
  let start = from;
  let isQuoted = false;
  let at = from;
  for (; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === '\\' && isQuoted) at++;
    else if (!isQuoted && (sign === ';' || sign === ',')) {
      values.push(text.slice(start, at));
      start = at + 1;
      if (sign === ',') break;
    }
  }
  values.push(text.slice(start, at));
  return { values, end: at };
}

function isNext(parameter: string): boolean {
  const at = parameter.indexOf('=');
  if (parameter.slice(0, Math.max(at, 0)).trim().toLowerCase() !== 'rel') return false;
  const relations = parameter
    .slice(at + 1)
    .trim()
    .replaceAll('"', '')
    .toLowerCase();
  return relations.split(/\s/).includes('next');
}
