// `person`: shows everything that is known about one person.
import { getPerson } from '../../acts/people.ts';
import { renderPerson } from '../../report/terminal/render-person.ts';
import { type GlobalOptions, tell } from '../frame/session.ts';

export async function showPerson(email: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'person' }, [getPerson, { email }], (person, output) => {
    output.print(renderPerson(person, output.style));
    if (options.json) output.json('person', person);
  });
}
