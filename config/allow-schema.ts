// The schema of what may be sent at all: groups, domains of addresses, people, texts.
import { z } from 'zod';
import { anyText, count, list, text } from './values.ts';

const someNames = (what: string) =>
  z.array(text(), { error: `must be a list of ${what}` }).meta({ form: `list of ${what}` });

export const Allow = z
  .strictObject({
    groups: z
      .strictObject({
        only: list(text(), 'groups')
          .exactOptional()
          .describe('The only groups that anybody may be put into; `*` stands for anything.'),
        except: someNames('groups')
          .exactOptional()
          .describe('Groups that nobody may be put into, whatever a cell says. Case does not count.'),
        perPerson: count(1, 10_000)
          .exactOptional()
          .describe('The most groups of one person; a row with more is rejected. Unless set, 100.'),
        total: count(1, 10_000_000)
          .exactOptional()
          .describe('The most different groups of a roster; one with more is refused. Unless set, 100000.'),
      })
      .exactOptional(),
    emails: z
      .strictObject({
        domains: list(text(), 'domains')
          .exactOptional()
          .describe(
            'The only domains of addresses (`example.com`; `*.example.com` for those below it). A row with another ' +
              'address is rejected, which stops private addresses and shifted columns.',
          ),
      })
      .exactOptional(),
    people: z
      .strictObject({
        except: someNames('addresses')
          .exactOptional()
          .describe('People who opted out, by address or employee id; their rows are left out.'),
      })
      .exactOptional(),
    values: list(anyText(), 'texts')
      .exactOptional()
      .describe(
        'Texts to accept although they look like no value or no name: a group called `0`, a person called `None`. Case does not ' +
          'count. All others, such as `n/a`, `-`, `(blank)` and `#REF!`, make no group and no telephone, and as a name they ' +
          'reject the row.',
      ),
  })
  .exactOptional();
