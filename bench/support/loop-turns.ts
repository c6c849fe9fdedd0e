/** How long the turns of an event loop were, ms. */
export interface Turns {
  /** The longest, in processor time of this thread: the same whatever else the machine does. */
  processor: number;
  /** The longest by the clock, which counts what other programs take as well. */
  clock: number;
}

/** Watches every turn of this thread's event loop until it is asked for the longest. */
export function watchTurns(): () => Turns {
  const longest: Turns = { processor: 0, clock: 0 };
  let isOver = false;
  const processorTime = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [processor, clock] = [processorTime(), performance.now()];
  const turn = (): void => {
    const [nextProcessor, nextClock] = [processorTime(), performance.now()];
    longest.processor = Math.max(longest.processor, nextProcessor - processor);
    longest.clock = Math.max(longest.clock, nextClock - clock);
    [processor, clock] = [nextProcessor, nextClock];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  return () => {
    isOver = true;
    turn();
    return longest;
  };
}
