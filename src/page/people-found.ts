// Whom a part of a name or address may mean, each with the way to everything that is known about them.
import { html, type Html } from '../core/text/format.ts';
import type { z } from 'zod';
import type { FoundPeople } from '../acts/shapes/requests.ts';
import { row, table } from './parts.ts';
import { outcomePill, personCell } from './people-table.ts';
import { personSearch } from './person.ts';

export function peopleFound(asked: string, { people, isAll }: z.output<typeof FoundPeople>): Html {
  const rows = people.map((person) =>
    row(personCell(person), person.source, person.groups.join(' · '), outcomePill(person.lastOutcome)),
  );
  return html`${personSearch(asked)}
  ${
    rows.length === 0
      ? html`<p role="status">
          Nobody who was sent is like “${asked}”. People who were never sent are found by their whole address.
        </p>`
      : html`${table('People who may be meant', ['Person', 'Source', 'Last given', 'Last delivery'], rows, 'lines')}
        ${!isAll && html`<p class="small">These are the first. Type more of the name.</p>`}`
  }`;
}
