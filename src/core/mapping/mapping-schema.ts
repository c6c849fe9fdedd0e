// The schema of how rows become members: fields, groups, filters; and of what may be sent at all.
import { z } from 'zod';
import { Condition, conditions, filters, Members } from './member-schema.ts';
import { wrongRename } from './patterns.ts';
import { anyText, column, count, list, oneOf, separator, text, textUpTo, wordOf } from '../settings/values.ts';

const groupNames = () =>
  z.union([text(), list(text(), 'names of groups')], { error: 'must be the name of a group, or a list of them' });

const takes = ['leaf', 'full', 'every'] as const;

const Group = z
  .strictObject(
    {
      column: column().exactOptional(),
      matrix: z
        .union([text(), list(text(), 'columns')], {
          error: 'must be columns, such as "C:F" or [First aid, Forklift]',
        })
        .exactOptional(),
      split: z
        .union([separator(), list(separator(), 'separators')], {
          error: 'must be the text between two groups, such as ";"',
        })
        .exactOptional(),
      path: z
        .strictObject({
          separator: separator(),
          take: wordOf(takes),
        })
        .exactOptional(),
      prefix: anyText().exactOptional(),
      template: text().exactOptional(),
      always: groupNames().exactOptional(),
      add: groupNames().exactOptional(),
      when: z
        .union([Condition, filters()], {
          error: 'must be a condition like { column: Job Title, contains: manager }',
        })
        .exactOptional(),
    },
    { error: 'must be a rule like { column: Department }' },
  )
  .superRefine((value, context) => {
    oneOf(
      ['column', 'matrix', 'template', 'always', 'add'],
      'must have exactly one of column, matrix, template, always and add',
    )(value, context);
    if (value.add !== undefined && value.when === undefined) {
      context.addIssue({ code: 'custom', message: 'needs when: for add:; for everybody, use always:' });
    }
    const ofColumn = (['split', 'path', 'prefix'] as const).filter((key) => value[key] !== undefined);
    if (value.column === undefined && ofColumn.length > 0) {
      context.addIssue({ code: 'custom', message: `${ofColumn.join(' and ')} can be set only together with column` });
    }
  });

const someNames = (what: string) =>
  z.array(text(), { error: `must be a list of ${what}` }).meta({ form: `list of ${what}` });

const Allow = z
  .strictObject({
    groups: z
      .strictObject({
        only: list(text(), 'groups').exactOptional(),
        except: someNames('groups').exactOptional(),
        perPerson: count(1, 10_000).exactOptional(),
        total: count(1, 10_000_000).exactOptional(),
      })
      .exactOptional(),
    emails: z
      .strictObject({
        domains: list(text(), 'domains').exactOptional(),
      })
      .exactOptional(),
    people: z
      .strictObject({
        except: someNames('addresses').exactOptional(),
      })
      .exactOptional(),
    values: list(anyText(), 'texts').exactOptional(),
  })
  .exactOptional();

const RenamePattern = z
  .strictObject(
    {
      matches: textUpTo(1000),
      to: text(),
    },
    { error: 'must be a rule like { matches: "(.+)-ACL", to: "ACL $1" }' },
  )
  .superRefine((rule, context) => {
    const message = wrongRename(rule);
    if (message !== undefined) context.addIssue({ code: 'custom', message: `is wrong: ${message}` });
  });

/** Keys of a source that say how its rows become members: what `MappingRules` says, as the config writes it. */
export const mappingParts = {
  members: Members.exactOptional(),
  only: filters().exactOptional(),
  except: conditions().exactOptional(),
  leavers: conditions().exactOptional(),
  groups: z
    .array(Group, { error: 'must be a list of rules like [{ column: Department }]' })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .exactOptional(),
  rename: z.record(z.string(), text(), { error: 'must be names like { "Prod.": Production }' }).exactOptional(),
  renamePatterns: z
    .array(RenamePattern, { error: 'must be a list of rules like [{ matches: "(.+)-ACL", to: "ACL $1" }]' })
    .min(1, { error: 'must not be empty; leave it out instead' })
    .exactOptional(),
  allow: Allow,
};

/** How the people that events carry are read: as rows of the source, unless something is said here. */
export const EventPeople = z
  .strictObject(mappingParts, { error: 'must be rules like { members: { email: email } }' })
  .pick({ members: true, only: true, except: true, leavers: true, groups: true });
