// What the file of a language says: headings of exports, and words in their cells.
import { z } from 'zod';

const words = (what: string): z.ZodString =>
  z
    .string()
    .regex(/[^\s,]/)
    .describe(`${what} Words with commas between them; case, accents and signs do not count.`);
/** Of cells, in which accents and signs count. */
const cells = (what: string): z.ZodString =>
  z
    .string()
    .regex(/[^\s,]/)
    .describe(`${what} Words with commas between them; case does not count.`);

const meanings = {
  firstname: words('First names.'),
  lastname: words('Last names.'),
  fullname: words('Whole names.'),
  lastnamePrefix: words('Prefixes of last names, such as `van der`, in a column of their own.'),
  email: words('Addresses at work.'),
  login: words('Names for signing in, of which addresses are made.'),
  telephone: words('Telephones.'),
  employeeId: words('Numbers and ids of employees.'),
  startDate: words('The first day at work.'),
  endDate: words('The last day at work.'),
  status: words('Whether somebody is active, on leave, or has left.'),
  gone: words('Flags that say yes of those who are gone.'),
  group: words('Groups by that name.'),
  department: words('Departments.'),
  team: words('Teams.'),
  unit: words('Parts of an organisation of whatever level.'),
  site: words('Where somebody works.'),
  class: words('Joined columns of bundles, and what schools have.'),
  position: words('What somebody works as.'),
  employer: words(
    'What everybody or nobody is of: countries, companies, cost centres. Never taken for groups by itself.',
  ),
};

export type Meaning = keyof typeof meanings;

const { lastnamePrefix, login, gone, unit, employer } = meanings;

/** A heading stands where it can be nothing else in any language; else under `unsure`, to be offered. */
export const Language = z.strictObject({
  ...meanings,
  firstname: meanings.firstname.optional(),
  callname: words('What somebody is called: taken where there is no other first name.').optional(),
  firstnameBeside: words(
    'First names only if a last name of this language is next to it, else whole names.',
  ).optional(),
  lastnameBeside: words('Last names only if a first name of this language is next to it, else whole names.').optional(),
  lastNameFirst: words('Headings of whole names in which the last name comes first, without a comma.').optional(),
  lastnamePrefix: lastnamePrefix.optional(),
  login: login.optional(),
  mailAliases: words(
    'Lists of addresses of which one is the primary: taken where there is no other address.',
  ).optional(),
  workPhone: words('Taken where there is no other telephone.').optional(),
  mobile: words('Taken where there is no other telephone, since it may be a private one.').optional(),
  personId: words('Ids of people at schools and clubs: taken where there is no id of employees.').optional(),
  gone: gone.optional(),
  unit: unit.optional(),
  class: meanings.class.optional(),
  employer: employer.optional(),
  unsure: z.strictObject(meanings).partial().describe('Headings that may be something else.').optional(),
  persons: words(
    'Of whom a heading speaks, before or behind the words for names and addresses: `Student Name`. Only those a roster is about.',
  ).optional(),
  work: words('In brackets behind a heading: the employer’s.').optional(),
  notOurs: words('In brackets behind a heading: somebody’s own, or somebody else’s.').optional(),
  statuses: z
    .strictObject({
      active: words('Of people who are there.'),
      leave: words('Of people on leave. Leave is not termination.'),
      ended: words('Of people who have left.'),
      future: words('Of people who have not started.'),
    })
    .describe('What the cells of a status column say. The same in two languages must say the same.'),
  people: words('Words for people in the names of groups, such as `users` of `Disabled Users`.').optional(),
  notGone: words('Names of groups that stay, although a status may be called so.').optional(),
  yes: cells('Cells of flags that say yes.'),
  no: cells('Cells of flags that say no.'),
  noEnd: words('Cells of a last day that say there is none.').optional(),
  noValue: cells('Whole cells that stand for no value. Nothing that a person or a group may be called.'),
  noValueOrName: cells('Whole cells that stand for no value except where names are: somebody is called so.').optional(),
  noValueInBrackets: cells(
    'No value only in brackets: what pivot tables and filters write for an empty cell.',
  ).optional(),
  excelErrors: cells('What Excel writes in place of a value, where it does not end in ! or ?.').optional(),
  mailboxes: cells('What stands before the @ of mailboxes that several people read; without dots, hyphens, and digits.')
    .regex(/^\D*$/, 'without digits')
    .optional(),
  nobody: words('Words of which both names consist where nobody is meant: tests, vacancies, accounts.'),
  surelyNobody: words('Words of which one as a first or last name says that nobody is meant.').optional(),
  namePrefixes: cells('Words that belong to the last name behind them: `van`.').optional(),
  nameSuffixes: cells('Words behind the last name that belong to it: `Jr.`.').optional(),
  nameTitles: cells('Words before a whole name that begins with the last name, and before first names.').optional(),
  extensions: cells('What stands before the extension of a telephone, without a dot.').optional(),
});
export type Language = z.infer<typeof Language>;
