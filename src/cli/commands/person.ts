// `person`: shows everything that is known about one person.
import { getPerson } from '../../acts/people.ts';
import { renderPerson } from '../../report/person/render-person.ts';
import { type GlobalOptions, openLedgerSession, withActs } from '../frame/session.ts';

export async function showPerson(email: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withActs(session, { command: 'person' }, async (ask) => {
    const person = await ask(getPerson, { email });
    output.print(renderPerson(person, output.style));
    if (options.json) output.json('person', person);
    return 0;
  });
}
