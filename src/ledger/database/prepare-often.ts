// Names the statements that recur, so that the database plans each only once.

/** A statement as pg's client takes it, to be prepared once per client under its name. */
export interface NamedStatement {
  name: string;
  text: string;
  values: unknown[];
}

/** Fewer uses than this are not worth a plan that is kept. */
const oftenEnough = 10;
/** The most prepared statements: each keeps its plan in every client that uses it. */
const mostPrepared = 50;
/** The most texts that are counted, since some have a length of their own each time. */
const mostCounted = 1000;

/** A lookup of one person by the key: any plan finds it the same way. */
const lookUp = /\blateral \(select \* from members where [^()]* offset 0\)/gi;
/**
 * Statements over the people of a run are planned again each time, because a kept plan was made for earlier runs: with
 * the plan for ten events about one person each, a roster of 360 people takes half a minute, since each is compared
 * with all.
 */
const isAboutRuns = (text: string): boolean =>
  /\b(?:from|update|into|using)\s+"?members\b/i.test(text.replaceAll(lookUp, ''));

/**
 * Gives statements that come back often a name, under which the database parses and plans them only once: that is a
 * third of what a delivery costs it. Others stay as they are. One for all clients of a database.
 */
export function prepareOften(): (text: string, values: unknown[]) => NamedStatement | undefined {
  const uses = new Map<string, number>();
  const names = new Map<string, string>();
  return (text, values) => {
    const known = names.get(text);
    if (known !== undefined) return { name: known, text, values };
    if (values.length === 0 || names.size >= mostPrepared || isAboutRuns(text)) return undefined;
    const count = (uses.get(text) ?? 0) + 1;
    if (count < oftenEnough) {
      if (uses.size >= mostCounted) uses.clear();
      uses.set(text, count);
      return undefined;
    }
    uses.delete(text);
    const name = `often_${names.size + 1}`;
    names.set(text, name);
    return { name, text, values };
  };
}
