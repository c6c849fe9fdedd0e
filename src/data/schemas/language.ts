// What the file of a language says: headings of exports, and words in their cells.
import { z } from 'zod';
import { described, each, strictObject } from '../described.ts';

/** Words with commas between them. */
const words = z.string().regex(/[^\s,]/);

const meanings = described('Meaning', {
  ...each(words, 'firstname', 'lastname', 'fullname', 'lastnamePrefix', 'email', 'login', 'telephone', 'employeeId'),
  ...each(words, 'startDate', 'endDate', 'status', 'gone', 'group', 'department', 'team', 'unit', 'site', 'class'),
  ...each(words, 'position', 'employer'),
});

export type Meaning = keyof typeof meanings;

/** What not every language has a word for. */
const rare = { firstname: true, lastnamePrefix: true, login: true, gone: true, unit: true, class: true } as const;

/** A heading stands where it can be nothing else in any language; else under `unsure`, to be offered. */
export const Language = strictObject('Language', {
  ...z.strictObject(meanings).partial({ ...rare, employer: true }).shape,
  ...each(words.optional(), 'callname', 'firstnameBeside', 'lastnameBeside', 'lastNameFirst', 'mailAliases'),
  ...each(words.optional(), 'workPhone', 'mobile', 'personId', 'persons', 'work', 'notOurs'),
  unsure: z.strictObject(meanings).partial().optional(),
  statuses: strictObject('Language.statuses', each(words, 'active', 'leave', 'ended', 'future')),
  ...each(words.optional(), 'people', 'notGone', 'noEnd', 'noValueOrName', 'noValueInBrackets', 'excelErrors'),
  ...each(words.optional(), 'surelyNobody', 'namePrefixes', 'nameSuffixes', 'nameTitles', 'extensions'),
  ...each(words.optional(), 'starts', 'ends', 'ofWork', 'actions', 'removals'),
  ...each(words, 'yes', 'no', 'noValue', 'nobody'),
  mailboxes: words.regex(/^\D*$/, 'without digits').optional(),
});
export type Language = z.infer<typeof Language>;
