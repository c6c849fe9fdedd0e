// Tells cells that stand for no value, except those the settings say are meant, and counts the former among groups.
import { isPlaceholder, type Purpose } from '../cells/placeholders.ts';
import { quote } from '../text/quote.ts';
import { foldText } from '../text/wildcard.ts';

const mostKept = 1000;

export class NoValues {
  /** Placeholders that stood for a group, and how many cells had them. */
  readonly groups = new Map<string, number>();
  /** What keeps such a text, for messages: a flag or a setting. */
  readonly keeper: '--allow-value' | 'allow.values';
  readonly #meant: ReadonlySet<string>;

  /** `meant`: texts that look like no value, or like no name, but are one (`allow.values`). */
  constructor(meant: readonly string[] = [], keeper: NoValues['keeper'] = 'allow.values') {
    this.keeper = keeper;
    this.#meant = new Set(meant.map(foldText));
  }

  /** ` (--allow-value "NULL" keeps it)`: what to do if a text is what it says, after a reason. Nobody is called `#REF!` or `--`. */
  sayKeeping(text: string): string {
    if (text.startsWith('#') || !/[\p{L}\p{N}]/u.test(text)) return '';
    return ` (${this.keeper === 'allow.values' ? this.keeper : `${this.keeper} ${quote(text)}`} keeps it)`;
  }

  /** Whether the settings say that a text is what it says. */
  isMeant(text: string): boolean {
    return this.#meant.size > 0 && this.#meant.has(foldText(text));
  }

  has(text: string, purpose?: Purpose): boolean {
    return isPlaceholder(text, purpose) && !this.isMeant(text);
  }

  /** Whether a cleaned text names no group; counts it. */
  isNoGroup(text: string): boolean {
    if (!this.has(text)) return false;
    const { groups } = this;
    if (groups.size < mostKept || groups.has(text)) groups.set(text, (groups.get(text) ?? 0) + 1);
    return true;
  }
}
