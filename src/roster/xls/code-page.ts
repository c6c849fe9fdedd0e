// Decodes the texts of workbooks from before Excel 97.
import { isAscii, isUtf8 } from 'node:buffer';
import { InputError } from '../../core/errors.ts';

/** Code pages by the number that an old workbook gives (MS-XLS, 2.4.52), as WHATWG labels. */
const labels: Readonly<Record<number, string>> = {
  367: 'utf-8',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  32768: 'macintosh',
  32769: 'windows-1252',
  65001: 'utf-8',
  ...Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7, 8].map((last) => [1250 + last, `windows-125${last}`])),
};

/** Reads texts of a workbook before Excel 97, which stand in its code page. */
export class CodePage {
  readonly #file: string;
  #page: number | undefined;
  #decoder: TextDecoder | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  use(page: number): void {
    const label = labels[page];
    this.#page = page;
    this.#decoder = label === undefined ? undefined : new TextDecoder(label);
  }

  /** Throws an `InputError` if the workbook does not say its code page, or one that is not read. */
  decode(bytes: Buffer): string {
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (this.#decoder) return this.#decoder.decode(bytes);
    if (this.#page === undefined && isUtf8(bytes)) return bytes.toString('utf8');
    const what =
      this.#page === undefined ? 'does not say its code page' : `is in code page ${this.#page}, which is not read`;
    throw new InputError(`${this.#file}: this old workbook ${what}. Open it, save it as .xlsx, and import that.`);
  }
}
