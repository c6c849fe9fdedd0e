// The types of the tables of deliveries, their receipts, and what was seen in answers.
import type { WrittenState } from '../../../core/run/delivery-states.ts';
import type { Generated, JSONColumnType } from 'kysely';
import type { GroupResult, AnswerKind } from '../../../core/call/answer.ts';
import type { Outcome } from '../../../core/call/outcome.ts';
import type { Action } from '../../../core/run/run.ts';
import type { Time } from './columns.ts';

interface DeliveryTable {
  id: Generated<number>;
  run_id: string;
  service: string;
  person_key: string;
  action: Action;
  state: WrittenState;
  /** The stage of a canary release in which it becomes due. */
  stage: Generated<number>;
  /** In how many runs in a row the service had refused this person when it was planned. */
  refusals: Generated<number>;
  /** How often it came back after it was first due; part of the job's id. */
  feeds: Generated<number>;
  attempts: Generated<number>;
  calls: Generated<number>;
  /** True when a call was repeated that may have happened: its answer never came, or its outcome was unknown. */
  repeated: Generated<boolean>;
  due_at: Generated<Date>;
  ended_at: Time | null;
  outcome: Outcome | null;
  reason: Generated<string>;
  /** Of the last call: the kind of its answer, and its HTTP status; failures of one kind and status are alike. */
  answer_kind: AnswerKind | null;
  answer_status: number | null;
}

/** A delivery in the hands of a worker, from the claim to the receipt. */
interface InHandTable {
  service: string;
  person_key: string;
  delivery_id: number;
  run_id: string;
  worker: string;
  /** The number of the call, 1 for a delivery's first. */
  call: number;
  /** When the call in flight was about to be written; null while none is. */
  called_at: Time | null;
}

interface ReceiptTable {
  delivery_id: number;
  /** 1 for a delivery's first call. */
  call: number;
  id: Generated<number>;
  run_id: string;
  kind: AnswerKind;
  http_status: number | null;
  hash: string | null;
  response_time: number | null;
  /** What the service said about each group; none if it did not accept. */
  results: JSONColumnType<GroupResult[]>;
  /** To be looked at: not accepted, or with a warning, or with a status other than `success`. */
  notable: boolean;
  reason: string;
  headers: JSONColumnType<Record<string, string>>;
  body: string | null;
  body_cut: boolean;
  called_at: Time;
  answered_at: Time;
}

/** A view: the results of all receipts, one row each. */
interface GroupResultTable {
  delivery_id: number;
  call: number;
  run_id: string;
  position: number;
  group_name: string;
  status: string;
  inserts: number;
  warnings: number;
}

/** What of answers of a service was seen: a warning, a status, or a shape. */
interface SeenEvidenceTable {
  service: string;
  kind: string;
  first_seen_at: Generated<Date>;
  first_run: string;
}

export interface DeliveriesTables {
  deliveries: DeliveryTable;
  in_hand: InHandTable;
  receipts: ReceiptTable;
  group_results: GroupResultTable;
  seen_evidence: SeenEvidenceTable;
}
