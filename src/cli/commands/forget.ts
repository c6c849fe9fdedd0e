// `forget`: erases a person and keeps them out of later runs.
import { type Config, findBaseUrl } from '../../../config/load.ts';
import { allowAgain, findPersonToForget, forgetPerson as forget, refuseWhileBusy } from '../../../jobs/index.ts';
import { maskAddress } from '../../core/person/mask.ts';
import { personKey } from '../../core/person/member.ts';
import { erasedInWords, knownInWords, notReached } from '../../report/person/forgotten-words.ts';
import { parseBaseUrl } from '../../service/address.ts';
import { askForYes, isTerminal } from '../frame/ask.ts';
import { osUser } from '../frame/os-user.ts';
import type { Output } from '../frame/output.ts';
import { type GlobalOptions, openLedgerSession, withContext } from '../frame/session.ts';

export interface ForgetOptions extends GlobalOptions {
  yes?: boolean;
  undo?: boolean;
}

export async function forgetPerson(email: string, options: ForgetOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { config, output } = session;
  return withContext(session, { command: 'forget' }, async (context) => {
    const who = { by: osUser(), origin: '' };
    const masked = maskAddress(personKey(email));
    if (options.undo) {
      const allowedAt = await allowAgain(context, email, who);
      output.print(
        `${masked} may be sent again. The next roster that names them treats them as new: the service may invite them again.`,
      );
      if (options.json) output.json('forget', { person: masked, allowedAt });
      return 0;
    }
    const person = await findPersonToForget(context, email, serviceOf(config));
    const { known, services } = person;
    refuseWhileBusy(person);
    output.print(`${masked}: ${knownInWords(known)}`);
    if (!options.yes) {
      const refusal = await askToErase(output);
      if (refusal !== undefined) return refusal;
    }
    output.note('Erasing. With a large ledger this takes a minute or more.');
    const { erased, left } = await forget(context, person, who);
    const folder = context.directory?.path ?? '';
    const lines = notReached({ isEmbedded: config.databaseUrl === undefined, known, left, folder });
    const kept = `From now on every roster for ${services.join(', ')} rejects this address; \`forget ADDRESS --undo\` ends that.`;
    output.print([...erasedInWords(erased), kept].join('\n'));
    output.print(
      ['Not erased, because roster-sync cannot reach it:', ...lines.map((line) => `  - ${line}`)].join('\n'),
    );
    const { runsWithRejects: _, ...counts } = erased;
    if (options.json) output.json('forget', { person: masked, erased: counts, keptOutOf: services, notReached: lines });
    return left.length > 0 ? 1 : 0;
  });
}

function serviceOf(config: Config): string | undefined {
  const baseUrl = findBaseUrl(config);
  return baseUrl === undefined ? undefined : parseBaseUrl(baseUrl).address;
}

async function askToErase(output: Output): Promise<number | undefined> {
  if (!isTerminal()) {
    output.problem('Nothing was erased: there is no terminal to ask you on. Run it again with --yes.');
    return 2;
  }
  const question = 'Erase all of it, and never send this person again? You cannot undo the erasure.';
  return askForYes(question, 'Nothing was erased.', output);
}
