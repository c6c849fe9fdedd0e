// The error of a SCIM request, with the words of RFC 7644.

/** What kind of mistake a request made (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'invalidVers'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;
  constructor(status: number, message: string, scimType?: ScimType) {
    super(message);
    this.status = status;
    this.scimType = scimType;
  }
}

export const invalidValue = (message: string): ScimError => new ScimError(400, message, 'invalidValue');

/** What is larger blocks the process, or fits into no index or row of a roster. */
export const most = {
  /** Entra sends some hundred; each of a user is compared with all values of its attribute. */
  operations: { User: 500, Group: 5000 },
  /** In one request. */
  members: 100_000,
  values: 200,
  /** Indexes of PostgreSQL take 2,700 bytes. */
  charactersOfName: 500,
  charactersOfText: 32_768,
  /** A row of a roster has at most a million, groups included. */
  charactersOfResource: 262_144,
} as const;

/** Throws a ScimError 413 that names the limit, where there is more: `emails has more than 500 values.` */
export function refuseMore(count: number, limit: number, what: string, of: string): void {
  if (count > limit) throw new ScimError(413, `${what} has more than ${limit} ${of}.`, 'tooMany');
}
