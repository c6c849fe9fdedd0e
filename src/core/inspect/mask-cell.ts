// Picks sample values of a column that do not identify anybody.
import type { ColumnSurvey } from '../columns/column-survey.ts';
import { maskAddress } from '../person/mask.ts';

/** Columns whose content is private, whatever it looks like. */
const secret = /pass|secret|token|ssn|social|birth|salary|iban|bank|gender|religio|ethnic|health|nationalit/i;
const mostShown = 30;

/** Only what is in many rows is shown as it is, and that only of columns that are nothing of a person. */
export function maskedExamples({ name, examples, values, isVocabulary }: ColumnSurvey, isPersonal: boolean): string[] {
  if (secret.test(name)) return examples.map(() => '***');
  if (isVocabulary && values && !isPersonal) {
    const frequent = [...values].toSorted((a, b) => b[1] - a[1]).slice(0, 3);
    return frequent.map(([value, count]) => (count > 1 ? value.slice(0, mostShown) : maskCell(value)));
  }
  return examples.map(maskCell);
}

/** A text of which only its beginning and its kind can be told: `A***`, `a***@example.com`, `+45***`. */
function maskCell(text: string): string {
  if (text.includes('@')) return maskAddress(text);
  if (/^\+?[\d ()./-]{6,}$/.test(text)) return `${text.slice(0, text.startsWith('+') ? 3 : 2)}***`;
  const [first = ''] = text;
  return text.length <= 1 ? text : `${first}***`;
}
