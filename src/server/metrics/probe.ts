// The types of what is asked for figures.
import type { Gauge } from 'prom-client';

export interface Probe {
  name: string;
  update(): Promise<void>;
  clear(): void;
}

export type MakeGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames?: readonly Label[],
) => Gauge<Label>;
