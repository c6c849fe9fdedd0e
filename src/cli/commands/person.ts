// `person`: shows everything that is known about one person.
import { readPerson } from '../../../jobs/index.ts';
import { isEmailAddress } from '../../core/cells/email-address.ts';
import { InputError } from '../../core/errors.ts';
import { personKey } from '../../core/person/member.ts';
import { renderPerson } from '../../report/person/render-person.ts';
import { type GlobalOptions, openLedgerSession, withLedger } from '../frame/session.ts';

export async function showPerson(email: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  if (!isEmailAddress(personKey(email))) throw new InputError('Name the person by their e-mail address.');
  return withLedger(session, { command: 'person' }, async (context) => {
    const person = await readPerson(context, email);
    output.print(renderPerson(person, output.style));
    if (options.json) output.json('person', person);
    return 0;
  });
}
