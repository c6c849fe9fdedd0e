// Writes a duration as settings do: `90s`, `12h`.

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

export function writeDuration(ms: number): string {
  const unit = units.find(([, size]) => ms % size === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}
