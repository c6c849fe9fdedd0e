// `person` and `forget`: shows what is known about one person; erases it, and keeps them out of later runs.
import { getPerson, allowPerson, forgetPerson as forget, lookToForget } from '../../acts/people.ts';
import { renderPerson } from '../../report/terminal/render-person.ts';
import { type GlobalOptions, tell, openLedgerSession, withActs } from '../frame/session.ts';
import { refuseWhileBusy } from '../../../jobs/index.ts';
import { maskAddress } from '../../core/person/mask.ts';
import { personKey } from '../../core/person/member.ts';
import { erasedInWords, knownInWords } from '../../report/person/person-words.ts';
import { askForYes } from '../frame/ask.ts';

export async function showPerson(email: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'person' }, [getPerson, { email }], (person, output) => {
    output.print(renderPerson(person, output.style));
    if (options.json) output.json('person', person);
  });
}

export interface ForgetOptions extends GlobalOptions {
  yes?: boolean;
  undo?: boolean;
}

export async function forgetPerson(email: string, options: ForgetOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  const masked = maskAddress(personKey(email));
  return withActs(session, { command: 'forget', isAlone: true }, async (ask) => {
    if (options.undo) {
      const { allowedAt } = await ask(allowPerson, { email });
      output.print(
        `${masked} may be sent again. The next roster that names them treats them as new: the service may invite them again.`,
      );
      if (options.json) output.json('forget', { person: masked, allowedAt });
      return 0;
    }
    const person = await ask(lookToForget, { email });
    refuseWhileBusy(person);
    output.print(`${masked}: ${knownInWords(person.known)}`);
    if (!options.yes) {
      const question = 'Erase all of it, and never send this person again? You cannot undo the erasure.';
      const alone = 'Nothing was erased: there is no terminal to ask you on. Run it again with --yes.';
      const refusal = await askForYes(question, { otherwise: 'Nothing was erased.', alone }, output);
      if (refusal !== undefined) return refusal;
    }
    output.note('Erasing. With a large ledger this takes a minute or more.');
    const { erased: all, left, keptOutOf, notReached } = await ask(forget, { email });
    const kept = `From now on every roster for ${keptOutOf.join(', ')} rejects this address; \`forget ADDRESS --undo\` ends that.`;
    const lines = notReached.map((line) => `  - ${line}`);
    output.print([...erasedInWords(all), kept].join('\n'));
    output.print(['Not erased, because roster-sync cannot reach it:', ...lines].join('\n'));
    const { runsWithRejects: _, ...erased } = all;
    if (options.json) output.json('forget', { person: masked, erased, keptOutOf, notReached });
    return left.length > 0 ? 1 : 0;
  });
}
