// The type of an answer: the eight kinds of result a call can have.

/** What the service said about one group of a group insert (interface.md, "Group insert result item"). */
export interface GroupResult {
  group: string;
  /** `success` is the only documented value. */
  status: string;
  inserts: number;
  warnings: number;
}

/** What is kept of an HTTP response. No secret is ever in it: the client redacts before it returns. */
export interface RawResponse {
  httpStatus: number;
  /** Only the headers that help to understand an answer, with lower-case names. */
  headers: Record<string, string>;
  body: string;
  bodyCut: boolean;
}

/**
 * What happened to one group-insert call. A value, never an exception: everything that can happen
 * to a call is one of these kinds.
 *
 * - `accepted`: 2xx with the documented envelope and `status: "success"`
 * - `refused`: 401 or 403; `renewed` when a token file, read again, held another token for the next call
 * - `rejected`: any other 4xx, and 3xx, which are never followed
 * - `throttled`: 429 or 503; `waitMs` only where the service named a wait (`Retry-After`)
 * - `broken`: any other 5xx, but those of gateways
 * - `not-sent`: no connection was made, so the request surely did not reach the service; `late` when it was made, but
 *   only after the call's slot of the pace was over; `nobodyThere` when the name is unknown, the connection was refused,
 *   or what answers there does not speak TLS with a certificate for that name
 * - `may-have-happened`: reset or deadline after the request was (partly) written, or a gateway says that there was no answer
 * - `unrecognised`: 2xx of another shape, HTML, truncated JSON, or a `status` other than `success`
 */
export type Answer =
  | { kind: 'accepted'; response: RawResponse; results: GroupResult[]; hash: string; responseTime: number }
  | { kind: 'refused'; response: RawResponse; reason: string; renewed: boolean }
  | { kind: 'rejected' | 'broken' | 'unrecognised'; response: RawResponse; reason: string }
  | { kind: 'throttled'; response: RawResponse; reason: string; waitMs?: number }
  | { kind: 'not-sent'; reason: string; late?: true; nobodyThere?: true }
  | { kind: 'may-have-happened'; reason: string; response?: RawResponse };

export type AnswerKind = Answer['kind'];
