// The types of people that were kept of a read, and of what changed since.

/** How a server tells what changed. Paths lead into an answer, names are keys of a record. */
export interface DeltaTemplate {
  /** Where everybody is asked for; the last page has a link that asks for what changed since. */
  url: string;
  records: string;
  /** What tells people apart. */
  key: string;
  /** The path to the address of the next page. */
  next: string;
  /** The path to the address that asks for what changed since. */
  link: string;
  /** Where a record has this, the person is gone. */
  removed: string;
}

/** Somebody as they were read, as JSON; empty for somebody who was erased, null for somebody who is gone. */
export interface KeptPerson {
  id: string;
  record: string | null;
}

/** The people of a source as its last read left them. */
export interface KeptPeople {
  /** Where to ask for what changed since. */
  link: string;
  /** Identifies what was asked for. */
  digest: string;
  /** Everybody has to be read again: it is time. */
  isOld: boolean;
  people(): AsyncIterable<readonly KeptPerson[]>;
}

/** What is to be kept of a read, so that the next one can ask for what changed since. */
export interface DeltaRead {
  link: string;
  digest: string;
  /** Whether everybody was read: what was kept before does not count any more. */
  isFull: boolean;
  /** Everybody, or only those who changed. */
  people(): Iterable<readonly KeptPerson[]>;
}
