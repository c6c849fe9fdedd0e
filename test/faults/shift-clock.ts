/** Loaded before the command line (`--import`), it sets this process's clock wrong by `CLOCK_OFF` milliseconds. */
const off = Number(process.env['CLOCK_OFF']);
const RealDate = Date;
const now = (): number => RealDate.now() + off;

globalThis.Date = class extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    super(...((given.length === 0 ? [now()] : given) as [number]));
  }
  static override now(): number {
    return now();
  }
} as DateConstructor;
