// Sends traces by OpenTelemetry; loaded only where they are wanted.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type IdGenerator, RandomIdGenerator, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Step, StepFacts, Tracing } from './tracing.ts';

/** The ids of the trace and the first step of a run: the same in every process, so that none has to be told. */
interface RunIds {
  traceId: string;
  spanId: string;
}

/** Random ids, but for the step that is a run. */
class Ids implements IdGenerator {
  next: RunIds | undefined;
  readonly #random = new RandomIdGenerator();
  generateTraceId(): string {
    return this.next?.traceId ?? this.#random.generateTraceId();
  }
  generateSpanId(): string {
    return this.next?.spanId ?? this.#random.generateSpanId();
  }
}

/** The longest wait for the receiver at the end, ms: a process must not hang because nobody listens there. */
const farewellMs = 3000;

/** Opens what traces; where they go the variables `OTEL_EXPORTER_OTLP_…` say, how the service is called `OTEL_SERVICE_NAME`. */
export function openTracing({ version, ledger }: { version: string; ledger: string }): Tracing {
  const ids = new Ids();
  const exporter = new OTLPTraceExporter();
  const named = resourceFromAttributes({ 'service.name': 'roster-sync', 'service.version': version });
  const provider = new TracerProvider({
    // What the environment says about the service counts more.
    resource: defaultResource().attributes['service.name']?.toString().startsWith('unknown_service')
      ? defaultResource().merge(named)
      : named.merge(defaultResource()),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: farewellMs })],
  });
  const tracer = provider.getTracer('roster-sync', version);
  const under = new AsyncLocalStorage<Context>();

  function idsOf(run: string): RunIds {
    const digest = createHash('sha256').update(`${ledger} ${run}`).digest('hex');
    return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
  }

  function contextOf({ run }: Step): Context {
    const current = under.getStore();
    if (current || run === undefined) return current ?? ROOT_CONTEXT;
    return trace.setSpanContext(ROOT_CONTEXT, { ...idsOf(run), traceFlags: TraceFlags.SAMPLED, isRemote: true });
  }

  function begin(step: Step, context: Context): Span {
    const { name, run, isRun = false, facts } = step;
    const attributes = { ...(run !== undefined && { run }), ...facts };
    const prefixed = Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [`roster_sync.${key}`, value]),
    );
    ids.next = isRun && run !== undefined ? idsOf(run) : undefined;
    try {
      return tracer.startSpan(name, { root: isRun, attributes: prefixed }, context);
    } finally {
      ids.next = undefined;
    }
  }

  return {
    async trace(step, does) {
      const context = step.isRun ? ROOT_CONTEXT : contextOf(step);
      const span = begin(step, context);
      try {
        return await under.run(trace.setSpan(context, span), does);
      } catch (error) {
        // Its message may name a person.
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'error' });
        throw error;
      } finally {
        span.end();
      }
    },
    note(facts: StepFacts) {
      const context = under.getStore();
      const span = context && trace.getSpan(context);
      for (const [key, value] of Object.entries(facts)) span?.setAttribute(`roster_sync.${key}`, value);
    },
    traceId(run) {
      if (run !== undefined) return idsOf(run).traceId;
      const context = under.getStore();
      return context && trace.getSpan(context)?.spanContext().traceId;
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, farewellMs);
      });
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}
