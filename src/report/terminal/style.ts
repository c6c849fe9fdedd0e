// Colours finished text for the terminal.
import { styleText } from 'node:util';

/** How a text is to look; decided once at the edge (`NO_COLOR`, terminal or not), never in here. */
export interface Style {
  color: boolean;
  /** Columns of the terminal; where there is none, how wide a line may become. */
  width: number;
  /** The IANA time zone in which times are shown; the machine's when absent. */
  timeZone?: string;
}

/** What a colour is used for; a colour never carries a meaning that the words do not. */
const inks = { label: 'bold', good: 'green', warn: 'yellow', bad: 'red', quiet: 'dim' } as const;

/** Colours a finished piece of text, after it was escaped and padded. */
export function paint(style: Style, ink: keyof typeof inks, text: string): string {
  return style.color && text !== '' ? styleText(inks[ink], text, { validateStream: false }) : text;
}
