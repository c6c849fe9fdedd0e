// Traces what a run and a webhook do, where OpenTelemetry is wanted; without it this costs nothing.

/** What is said about a step: counts, ids, states. Never a person, an address, a group or a cell. */
export type StepFacts = Record<string, string | number | boolean>;

/** A step of which a trace consists. */
export interface Step {
  name: string;
  facts?: StepFacts;
  /** The run it belongs to, where it is not part of a step under way; all steps of a run are one trace, in every process. */
  run?: string;
  /** It is the run itself. */
  isRun?: boolean;
}

/** What makes traces. */
export interface Tracing {
  trace<Result>(step: Step, does: () => Promise<Result>): Promise<Result>;
  note(facts: StepFacts): void;
  /** The id of the trace of a run, or of the step under way. */
  traceId(run: string | undefined): string | undefined;
  /** Sends what is left. */
  stop(): Promise<void>;
}

let tracing: Tracing | undefined;
const sampledRuns = new Map<string, number>();

/** Deliveries of a run that are always traced in a process, and of the others one in so many. */
const firstDeliveries = 5;
const oneIn = 100;
const mostRuns = 1000;

/**
 * Starts tracing, to where the variables of OpenTelemetry say. Only then is its SDK loaded.
 * @param about the version of the program, and the ledger, whose runs are told from those of others
 * @returns what sends the rest and ends it
 */
export async function beginTracing(about: { version: string; ledger: string }): Promise<() => Promise<void>> {
  if (tracing) return () => Promise.resolve();
  const { openTracing } = await import('./tracing-sdk.ts');
  const opened = openTracing(about);
  tracing = opened;
  return async () => {
    tracing = undefined;
    await opened.stop();
  };
}

/** Does something as a step of a trace. */
export function traced<Result>(step: Step, does: () => Promise<Result>): Promise<Result> {
  return tracing ? tracing.trace(step, does) : does();
}

/** Does a delivery, and traces a sample of them. */
export function tracedSample<Result>(step: Step & { run: string }, does: () => Promise<Result>): Promise<Result> {
  if (!tracing) return does();
  const before = sampledRuns.get(step.run) ?? 0;
  if (sampledRuns.size > mostRuns) sampledRuns.clear();
  sampledRuns.set(step.run, before + 1);
  return before < firstDeliveries || before % oneIn === 0 ? tracing.trace(step, does) : does();
}

/** Says something about the step under way. */
export function noteStep(facts: StepFacts): void {
  tracing?.note(facts);
}

/** The id of the trace of a run, or of the step under way, for lines of the log. */
export function traceId(run?: string): string | undefined {
  return tracing?.traceId(run);
}
