// The types of a language's headings and of what a heading can mean.

/** What a column of an export can hold of a person. */
export type Meaning =
  | 'firstname'
  | 'lastname'
  | 'fullname'
  | 'lastnamePrefix'
  | 'email'
  | 'login'
  | 'telephone'
  | 'employeeId'
  | 'startDate'
  | 'endDate'
  | 'status'
  | 'gone'
  | 'group'
  | 'department'
  | 'team'
  | 'unit'
  | 'site'
  | 'class'
  | 'position'
  | 'employer';

/** Words, with commas between them, as people and systems write them; case, accents and signs do not count. */
type Words = string;

/**
 * The headings of one language. A word stands only where it can be nothing else in any language; what may be something else
 * stands under `unsure`, and is offered instead of taken.
 */
export interface Headings {
  firstname: Words;
  /** What somebody is called: taken where there is no other first name. */
  callname?: Words;
  /** A first name only if a last name of this language is next to it, else a whole name. */
  firstnameBeside?: Words;
  lastname: Words;
  /** A last name only if a first name of this language is next to it, else a whole name. */
  lastnameBeside?: Words;
  fullname: Words;
  /** Prefixes of last names, `van der`, in a column of their own. */
  lastnamePrefix?: Words;
  email: Words;
  /** Names for signing in, of which addresses are made. */
  login?: Words;
  telephone: Words;
  /** Taken where there is no other telephone. */
  workPhone?: Words;
  /** Taken where there is no other, since it may be a private one. */
  mobile?: Words;
  employeeId: Words;
  startDate: Words;
  endDate: Words;
  status: Words;
  /** Flags that say yes of those who are gone. */
  gone?: Words;
  group: Words;
  department: Words;
  team: Words;
  /** Parts of an organisation of whatever level. */
  unit?: Words;
  site: Words;
  /** Joined columns of bundles, and what schools have. */
  class?: Words;
  position: Words;
  /** What everybody or nobody is of: countries, companies, cost centres. Never taken for groups by itself. */
  employer?: Words;
  unsure?: Partial<Record<Meaning, Words>>;
  /** In brackets behind a heading: the employer's. */
  work?: Words;
  /** In brackets behind a heading: somebody's own, or somebody else's. */
  notOurs?: Words;
  /** What the cells of a status column say. Leave is not termination. */
  statuses?: { active?: Words; leave?: Words; ended?: Words; future?: Words };
  yes?: Words;
  no?: Words;
}
