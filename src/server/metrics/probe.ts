// The types of what is asked for figures.
import type { Gauge } from 'prom-client';

/** What is asked for figures: one that does not answer must not hide those of the others. */
export interface Probe {
  /** `ledger` */
  name: string;
  /** Brings its figures up to date. */
  update(): Promise<void>;
  /** Takes its figures away: an old figure is worse than none. */
  clear(): void;
}

/** Makes a gauge of ours. */
export type MakeGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames?: readonly Label[],
) => Gauge<Label>;
