// Chooses the slices of time in which a run is shown.

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
/** Lengths that people read easily, ms. */
const lengths = [
  ...[1, 2, 5, 10, 15, 30].map((each) => each * second),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * minute),
  ...[1, 2, 4, 6, 12].map((each) => each * hour),
  ...[1, 2, 7, 14, 28].map((each) => each * day),
];

/** The shortest round length, ms, of which so many slices cover a time. Time is cut at round moments, so one slice is spare. */
export function sliceFor(spanMs: number, mostSlices: number): number {
  const found = lengths.find((length) => Math.floor(spanMs / length) + 2 <= mostSlices);
  return found ?? Math.ceil(spanMs / Math.max(1, mostSlices - 2) / day) * day;
}
