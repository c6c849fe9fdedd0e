// Makes one question analysis call and keeps the whole answer before any of it is used.
import type { Dispatcher } from 'undici';
import type { Analysis, AnalysedAnswer } from '../core/story/analysis.ts';
import type { Answer } from '../core/call/answer.ts';
import { ServiceError, StorageError } from '../core/errors.ts';
import { JsonCutter, JsonFailure } from '../core/rows/json-cutter.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { AnswerWalk, OutlineWalk, readAnswer } from './analysis-text.ts';
import { successStatus } from './contract.ts';
import { exchange, type ExchangeLimits } from './exchange.ts';
import { interpret, type Interpretation, keepResponse } from './interpret.ts';
import { Spool } from './spool.ts';
import { trimSign } from '../core/text/trim-end.ts';

/** What happened to one question analysis: as `Answer`, but an accepted one brings the whole answer, kept aside. */
export type AnalysisOutcome = { kind: 'accepted'; analysis: Analysis } | Exclude<Answer, { kind: 'accepted' }>;

/** The longest story, question or single answer, in characters, and the deepest nesting of values. */
const most = { record: 4 * 1024 * 1024, depth: 200 };
/** How much of an answer that cannot be used is kept to be shown, in bytes. */
const shownBytes = 64 * 1024;
/** The bytes that become text at a time: small texts are cheaper to forget. */
const lookedAtBytes = 16 * 1024;
/** An answer of the service that is not what the interface documents. */
class ShapeError extends Error {}

/**
 * Does one question analysis. The answer may be hundreds of megabytes: it goes to a temporary file while its form is
 * checked, so that nothing of it is used before all of it has arrived and is a success.
 * @throws StorageError when it cannot be kept; everything that happens to the call is a value
 */
export async function exchangeAnalysis(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: Omit<ExchangeLimits, 'take'> & { onBytes?: ((bytes: number) => void) | undefined },
  context: Interpretation & { token: Secret },
): Promise<AnalysisOutcome> {
  const { redact, host } = context;
  const spool = await Spool.open();
  const intake = new Intake(spool, formsOf(context.token));
  let isHandedOn = false;
  try {
    const take = async (chunk: Buffer): Promise<void> => {
      await intake.take(chunk);
      limits.onBytes?.(spool.size);
    };
    const ended = await exchange(dispatcher, request, { ...limits, take });
    const { response, failure } = ended;
    if (failure instanceof StorageError) throw failure;
    if (response === undefined || response.status < 200 || response.status >= 300) {
      const answer = interpret(ended, context);
      if (answer.kind === 'accepted') throw new Error('no answer is accepted without a success');
      return answer;
    }
    const kept = keepResponse(response, redact(intake.beginning, true), redact);
    if (response.extent !== 'complete' && !(failure instanceof ShapeError)) {
      const why = failure === undefined ? '' : redact(failure.message);
      return { kind: 'may-have-happened', response: kept, reason: `the answer of ${host} broke off: ${why}` };
    }
    const wrong = failure instanceof ShapeError ? failure.message : await intake.end();
    if (wrong !== undefined) {
      const reason = `HTTP ${response.status} from ${host}, but ${redact(wrong)}`;
      return { kind: 'unrecognised', response: kept, reason };
    }
    isHandedOn = true;
    return { kind: 'accepted', analysis: analysisOf(spool, intake.outline) };
  } finally {
    if (!isHandedOn) await spool.close();
  }
}

/**
 * The forms in which JSON may repeat a token; not the password in it alone, which may be a word of the answers. One too
 * short to be told from other text is left out.
 */
function formsOf(token: Secret): string[] {
  const bytes = Buffer.from(token.reveal(), 'base64');
  const plain = [trimSign(token.reveal(), '='), bytes.toString('base64url'), bytes.toString('utf8')];
  const forms = plain.flatMap((form) => [form, JSON.stringify(form).slice(1, -1), form.replaceAll('/', '\\/')]);
  return [...new Set(forms)].filter((form) => form.length >= 8);
}

/** Takes an answer in: keeps it, and looks at its form and for secrets. */
class Intake {
  readonly outline = new OutlineWalk();
  readonly #spool: Spool;
  readonly #secrets: readonly string[];
  /** A secret that two parts of the answer share is found by reading this number of characters again. */
  readonly #overlap: number;
  readonly #cutter = new JsonCutter(this.outline, most);
  // A JSON text is UTF-8 (RFC 8259, section 8.1); what is not would be spoilt silently.
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #head: Buffer[] = [];
  #tail = '';

  constructor(spool: Spool, secrets: readonly string[]) {
    this.#spool = spool;
    this.#secrets = secrets;
    this.#overlap = Math.max(1, ...secrets.map(({ length }) => length));
  }

  /** The beginning of what came, as text. */
  get beginning(): string {
    return Buffer.concat(this.#head).subarray(0, shownBytes).toString('utf8');
  }

  /** Takes the next part; throws ShapeError where it cannot be part of a good answer. */
  async take(chunk: Buffer): Promise<void> {
    if (this.#spool.size < shownBytes) this.#head.push(chunk);
    for (let at = 0; at < chunk.length; at += lookedAtBytes) {
      this.#look(() => this.#decoder.decode(chunk.subarray(at, at + lookedAtBytes), { stream: true }));
    }
    await this.#spool.add(chunk);
  }

  /** To be called once all has come; says in words why it is not of the documented shape, if so. */
  async end(): Promise<string | undefined> {
    const { outline } = this;
    if (this.#spool.size === 0) return 'without a body';
    await this.#spool.flush();
    try {
      this.#look(() => this.#decoder.decode());
      this.#shaped(() => this.#cutter.end());
    } catch (error) {
      if (error instanceof ShapeError) return error.message;
      throw error;
    }
    if (!outline.isObject || outline.documents !== 1) return 'the body is not one JSON object';
    const { status } = outline.envelope;
    if (typeof status === 'string' && status !== successStatus) {
      return `the status is ${JSON.stringify(status.slice(0, 100))}, not "${successStatus}"`;
    }
    if (typeof status !== 'string') return 'the body is not of the documented shape: it has no status';
    if (!outline.hasData) return 'the body is not of the documented shape: it has no list called data';
    outline.conclude();
    return undefined;
  }

  #look(decode: () => string): void {
    let text: string;
    try {
      text = decode();
    } catch {
      throw new ShapeError('the body is not UTF-8');
    }
    const seam = this.#tail + text.slice(0, this.#overlap);
    if (this.#secrets.some((secret) => seam.includes(secret) || text.includes(secret)))
      throw new ShapeError('the body repeats the token, so nothing of it is used');
    this.#tail = (text.length < this.#overlap ? this.#tail + text : text).slice(-this.#overlap);
    this.#shaped(() => this.#cutter.push(text));
  }

  #shaped(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!(error instanceof JsonFailure || error instanceof SyntaxError)) throw error;
      const isPage = this.beginning.trimStart().startsWith('<');
      const what = isPage ? 'the body is a web page, not JSON' : 'the body is not JSON, or is cut short';
      throw new ShapeError(error instanceof JsonFailure && !isPage ? `${what}: ${error.message}` : what, {
        cause: error,
      });
    }
  }
}

function analysisOf(spool: Spool, { envelope, stories, breaches }: OutlineWalk): Analysis {
  const { hash, response_time: responseTime } = envelope;
  return {
    ...(typeof hash === 'string' ? { hash } : {}),
    ...(typeof responseTime === 'number' ? { responseTime } : {}),
    sizeBytes: spool.size,
    stories,
    breaches,
    answers: () => answersIn(spool),
    bytes: () => spool.parts(),
    close: () => spool.close(),
  };
}

async function* answersIn(spool: Spool): AsyncGenerator<AnalysedAnswer[]> {
  const walk = new AnswerWalk();
  const cutter = new JsonCutter(walk, most);
  const decoder = new TextDecoder();
  for await (const part of spool.parts()) {
    cutter.push(decoder.decode(part, { stream: true }));
    if (walk.found.length === 0) continue;
    const { found } = walk;
    walk.found = [];
    // Spread objects cost as much as cutting, a million times.
    yield found.map(({ story, question, position, text }) => {
      const { item, missing } = parse(text, position);
      return { story, question, position, text, item, missing };
    });
  }
}

function parse(text: string, position: number): ReturnType<typeof readAnswer> {
  try {
    return readAnswer(text);
  } catch (cause) {
    throw new ServiceError(`The service's answer cannot be read: answer ${position} of a question is no JSON.`, {
      cause,
    });
  }
}
