// The error classes, divided by what the reader must do, each with its exit code, and what to do next as a value.
import { defined } from './defined.ts';
import { quote } from './text/format.ts';
import { say, sentence } from './words/say.ts';

/** What an error carries beside its message: what to do next, its cause. */
export interface Beside extends ErrorOptions {
  next?: readonly NextStep[];
}

/**
 * The few errors that the product throws on purpose, split by what the person who runs it must do.
 * Each carries the exit code of its kind (docs/commands.md, "Exit codes") and a stable `code`.
 * Messages say what happened and where; what to do next is in them as long as it is no command, button or request: those
 * are `next`. None holds a secret.
 */
export abstract class RosterSyncError extends Error {
  abstract readonly code: string;
  abstract readonly exitCode: number;
  readonly next: readonly NextStep[];
  constructor(message: string, { next = [], ...options }: Beside = {}) {
    super(message, options);
    this.next = next;
  }
  override get name(): string {
    return this.constructor.name;
  }
}

/** The code of an error of the system or of a library, such as `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : '';
}

type BesideInput = Beside & { withoutWords?: string; code?: string };

/** Wrong flags, config, or a roster that cannot be read: fix the input and run again. */
export class InputError extends RosterSyncError {
  readonly code: string;
  readonly exitCode = 2;
  /** The message without words of the roster, where it has some: for logs and mails, where no people belong. */
  withoutWords: string;
  constructor(message: string, { withoutWords = message, code = 'INPUT', ...beside }: BesideInput = {}) {
    super(message, beside);
    this.code = code;
    this.withoutWords = withoutWords;
  }
}

/** A text that can be read in several ways: which is right is for a person to say, and until then nothing is read of it. */
export class EncodingQuestion extends InputError {
  readonly readings: readonly { encoding: string; examples: readonly string[] }[];
  constructor(message: string, { readings, withoutWords }: Pick<EncodingQuestion, 'readings' | 'withoutWords'>) {
    const next = readings.map(({ encoding }) => ({ setting: 'read.encoding' as const, value: encoding }));
    super(message, { withoutWords, next });
    this.readings = readings;
  }
}

/** A roster that can be read, but none of whose rows is a person to send. */
export class NoUsableRowsError extends InputError {}

/** A table with a header and nobody below it, or an empty list: no roster, but no rows where it is joined to one. */
export class EmptyTable extends InputError {}

/** What was named is not there: name another one. */
export class NotFoundError extends InputError {
  constructor(message: string, beside?: BesideInput) {
    super(message, { code: 'NOT_FOUND', ...beside });
  }
}

/** It cannot be done in the state that things are in: look at them again. */
export class NotNowError extends InputError {
  constructor(message: string, beside?: BesideInput) {
    super(message, { code: 'NOT_NOW', ...beside });
  }
}

/** Somebody may not do this. */
export class ForbiddenError extends InputError {
  override readonly code = 'FORBIDDEN';
}

/** They lack a scope; each face says who they are, and who may. */
export class ScopeError extends ForbiddenError {
  readonly scope: string;
  constructor(scope: string) {
    super(`This needs the scope ${scope}.`);
    this.scope = scope;
  }
}

/** Two people are needed, and this one is the first. */
export class SecondPersonError extends InputError {}

/** A request that is not answered as asked, on purpose. */
export class RequestError extends RosterSyncError {
  readonly exitCode = 2;
  readonly status: number;
  readonly code: string;
  /** @param status the HTTP status; `code` is stable, the message says what to do next */
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Another process owns the data directory, or the source has an unfinished run. */
export class BusyError extends RosterSyncError {
  readonly code = 'BUSY';
  readonly exitCode = 5;
}

/** The place where things are kept does not work: disk, permissions, database, queue. */
export class StorageError extends RosterSyncError {
  readonly code: string = 'STORAGE';
  readonly exitCode = 1;
}

/** The embedded database was in use for too long: the statement never began, and can be asked again. */
export class LedgerBusyError extends StorageError {
  override readonly code = 'LEDGER_BUSY';
}

/** The ledger's server is away, and the verb may have done its work: no error of a run or an event, which wait for it. */
export class LedgerAwayError extends Error {
  override readonly name = 'LedgerAwayError';
}

/** The service refused, did not answer, or answered what cannot be used: `refused` says that asking again does not help. */
export class ServiceError extends RosterSyncError {
  readonly code = 'SERVICE';
  readonly exitCode: number;
  constructor(message: string, { refused = false, ...beside }: Beside & { refused?: boolean } = {}) {
    super(message, beside);
    this.exitCode = refused ? 6 : 4;
  }
}

/** The connection to the database broke in the middle of planning: nothing was sent, and planning can begin again. */
export class LostConnectionError extends StorageError {
  override readonly code = 'LOST_CONNECTION';
}

export interface SheetReading {
  name: string;
  rows: number;
  columns: number;
  /** Whether its header names a person. */
  isPeople: boolean;
}

/** The people of a workbook can be on several of its sheets: somebody must say on which. */
export class SheetQuestion extends InputError {
  readonly sheets: readonly SheetReading[];
  constructor(file: string, sheets: readonly SheetReading[]) {
    const lines = sheets.map((sheet) => `\n  ${saySheet(sheet)}`).join('');
    super(`${file}: the people can be on several sheets. Name one, or read all that have the same columns.${lines}`, {
      next: [{ setting: 'read.sheet', value: 'NAME' }, { setting: 'read.allSheets' }],
    });
    this.sheets = sheets;
  }
}

/** `"Sales": 120 rows, 5 columns, looks like people`. */
export function saySheet({ name, rows, columns, isPeople }: SheetReading): string {
  const said = { sheet: quote(name), rows: `${rows} ${rows === 1 ? 'row' : 'rows'}` };
  return say(isPeople ? 'sheetOfPeople' : 'sheetOfOthers', columns, said);
}

type OnRun = 'get' | 'rejects' | 'departed' | 'approve' | 'cancel' | 'resume' | 'retry';

/** An act, with the run, the name or the move that it is about. */
export interface ActStep {
  act:
    | `runs.${'list' | OnRun}`
    | `people.${'allow' | 'resolveMoves'}`
    | `sources.${'init' | 'plan' | 'schedules'}`
    | 'stories.history'
    | `access.${'createToken' | 'tokens' | 'revokeToken' | 'accounts' | 'changePassword' | 'changeRole'}`
    | `upkeep.${'doctor' | 'rebuild' | 'movedHere' | 'undoExport'}`;
  run?: string;
  name?: string;
  old?: string;
  new?: string;
}

/** A setting, with the value to give it. */
export interface SettingStep {
  setting:
    | ('config' | 'only' | 'onlyActive' | 'everybody' | 'asOf' | 'passwordFile' | 'server.port')
    | `delivery.${'rate' | 'maxInvitations'}`
    | `read.${'encoding' | 'delimiter' | 'sheet' | 'allSheets' | 'records'}`;
  value?: string;
}

export type NextStep = ActStep | SettingStep;

/** What can be done with a run; of a plan that is none yet, with the run that it will be. */
export function onRun(run: string | undefined, ...acts: readonly OnRun[]): ActStep[] {
  return acts.map((act) => ({ act: `runs.${act}`, ...defined({ run }) }));
}

/** What was said, and what to do next, each step by the name that a face has for it: `There is no run a1. The page “Runs” lists them.` */
export function withNext(
  said: string,
  steps: readonly NextStep[] = [],
  nameOf: (step: NextStep) => string | undefined,
): string {
  const ways = steps.flatMap((step) => {
    const name = nameOf(step);
    return name === undefined ? [] : [`${name} ${say(`next-${'act' in step ? step.act : step.setting}`, 1)}`];
  });
  if (ways.length === 0) return said;
  const [first = '', ...lines] = said.split('\n');
  return [`${first}${/[.?!]$/.test(first) ? '' : '.'} ${sentence(ways.join(', '))}`, ...lines].join('\n');
}

/** What an error says where no people belong, in logs, mails and what is kept of a run, with the settings that help. */
export function briefly(error: RosterSyncError): string {
  const said = error instanceof InputError ? error.withoutWords : error.message;
  return withNext(said, error.next, (step) =>
    'setting' in step ? `\`${step.setting}${step.value === undefined ? '' : `: ${step.value}`}\`` : undefined,
  );
}

/** The refusal of a name. */
export function refusal(name: string, said: Parameters<typeof say>[2], beside?: Beside): InputError {
  return new InputError(say(name, 1, said), beside);
}
