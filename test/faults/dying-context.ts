import { scaleTempo, tempo, type Tempo } from '../../src/core/pace/waiting-times.ts';
import { type Context, type ContextOptions, openContext as open } from '../../src/wiring/context.ts';

export * from '../../src/wiring/context.ts';

const [when = '', path = '', times = '1'] = (process.env['DIE_AT'] ?? '').split(' ');
let left = Number(times);

function die(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

/** On a busy machine a call may come too late for its slot of the pace: then it is not made, and tried again. */
const isLate = (value: unknown): boolean => typeof value === 'object' && value !== null && 'late' in value;

type Verb = (...given: unknown[]) => unknown;

function dying(verb: Verb): Verb {
  return (...given) => {
    if (when === 'before') die();
    const result = verb(...given);
    if (when === 'before') return result;
    if (result instanceof Promise) {
      return result.then((value: unknown) => {
        if (!isLate(value)) die();
        return value;
      });
    }
    return dyingList(result as AsyncIterable<unknown>);
  };
}

async function* dyingList(items: AsyncIterable<unknown>): AsyncGenerator {
  for await (const item of items) {
    yield item;
    die();
  }
}

/** Decorates in place what the path names: `ledger.record`, `service.insertGroups`. Returns whether it is there. */
function decorate(context: object): boolean {
  const [part = '', name = ''] = path.split('.');
  const owner = (context as Record<string, Record<string, Verb> | undefined>)[part];
  const verb = owner?.[name];
  if (owner === undefined || verb === undefined) return false;
  owner[name] = dying(verb.bind(owner));
  return true;
}

/** The tempo wanted: everything by the factor `TEMPO`, the probes of an outage by `PROBE_TEMPO` if that is given. */
function wantedTempo(): Tempo {
  const all = scaleTempo(tempo, Number(process.env['TEMPO'] ?? 1));
  const { firstProbeMs, lastProbeMs, longestProbeMs } = scaleTempo(tempo, Number(process.env['PROBE_TEMPO']));
  return process.env['PROBE_TEMPO'] === undefined ? all : { ...all, firstProbeMs, lastProbeMs, longestProbeMs };
}

/** The real context in another tempo, and deadly at one place if that is wanted. */
export async function openContext(options: ContextOptions): Promise<Context> {
  const context = await open({ ...options, tempo: wantedTempo() });
  if (path === '' || decorate(context)) return context;
  return {
    ...context,
    async openDelivery(...given) {
      const delivery = await context.openDelivery(...given);
      if (!decorate(delivery)) throw new Error(`there is no ${path} to die at`);
      return delivery;
    },
  };
}
