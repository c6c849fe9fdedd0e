// Matches patterns with `*`, in time linear in the text.

/** A text without what differs between two writings of it: kinds of characters, case, runs of spaces. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Without regard to case. Takes time in proportion to the text, whatever the pattern. */
export function wildcard(pattern: string): (text: string) => boolean {
  const fits = foldedTest(pattern);
  return (text) => fits(foldText(text));
}

/** The same of a text that is folded. */
function foldedTest(pattern: string): (folded: string) => boolean {
  const parts = foldText(pattern).split('*');
  const [first = ''] = parts;
  if (parts.length === 1) return (folded) => folded === first;
  const last = parts.at(-1) ?? '';
  const inner = parts.slice(1, -1).filter((part) => part !== '');
  return (folded) => {
    if (!folded.startsWith(first) || !folded.endsWith(last) || folded.length < first.length + last.length) return false;
    let from = first.length;
    for (const part of inner) {
      const at = folded.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return from <= folded.length - last.length;
  };
}

/** Makes one test of several patterns: whether any of them fits. Plain ones cost the same however many they are. */
export function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const plain = new Set(patterns.filter((pattern) => !pattern.includes('*')).map(foldText));
  const tests = patterns.filter((pattern) => pattern.includes('*')).map(foldedTest);
  return (text) => {
    const folded = foldText(text);
    return plain.has(folded) || tests.some((fits) => fits(folded));
  };
}
