// `person`, `forget` and `resolve`: what is known about one person, and decisions about changed addresses.
import * as people from '../../acts/people.ts';
import { renderPerson } from '../../report/terminal/render-person.ts';
import { type GlobalOptions, tell, openLedgerSession, withActs } from '../frame/session.ts';
import { refuseWhileBusy } from '../../../jobs/upkeep/person.ts';
import { maskAddress } from '../../core/person/mask.ts';
import { personKey } from '../../core/person/member.ts';
import { erasedInWords, knownInWords, movesInWords, unfitLines } from '../../report/person/person-words.ts';
import { askForYes } from '../frame/ask.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText, count } from '../../core/text/format.ts';
import type { IdentityDecision } from '../../core/rows/row.ts';
import { type AddressPair, isRule, pairsOfRows } from '../../core/person/moves.ts';
import { readCells } from '../../roster/text/parse-block.ts';
import type { Options } from '../options.ts';

export async function showPerson(email: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'person' }, [people.getPerson, { email }], (person, output) => {
    output.print(renderPerson(person, output.style));
    if (options.json) output.json('person', person);
  });
}

export async function forgetPerson(email: string, options: Options<'forget'>): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  const masked = maskAddress(personKey(email));
  return withActs(session, { command: 'forget', isAlone: true }, async (ask) => {
    if (options.undo) {
      const { allowedAt } = await ask(people.allowPerson, { email });
      output.print(
        `${masked} may be sent again. The next roster that names them treats them as new: the service may invite them again.`,
      );
      if (options.json) output.json('forget', { person: masked, allowedAt });
      return 0;
    }
    const person = await ask(people.lookToForget, { email });
    refuseWhileBusy(person);
    output.print(`${masked}: ${knownInWords(person.known)}`);
    if (!options.yes) {
      const question = 'Erase all of it, and never send this person again? You cannot undo the erasure.';
      const alone = 'Nothing was erased: there is no terminal to ask you on. Run it again with --yes.';
      const refusal = await askForYes(question, { otherwise: 'Nothing was erased.', alone }, output);
      if (refusal !== undefined) return refusal;
    }
    output.note('Erasing. With a large ledger this takes a minute or more.');
    const { erased: all, left, keptOutOf, notReached } = await ask(people.forgetPerson, { email });
    const kept = `From now on every roster for ${keptOutOf.join(', ')} rejects this address; \`forget ADDRESS --undo\` ends that.`;
    const lines = notReached.map((line) => `  - ${line}`);
    output.print([...erasedInWords(all), kept].join('\n'));
    output.print(['Not erased, because roster-sync cannot reach it:', ...lines].join('\n'));
    const { runsWithRejects: _, ...erased } = all;
    if (options.json) output.json('forget', { person: masked, erased, keptOutOf, notReached });
    return left.length > 0 ? 1 : 0;
  });
}

/** Returns the exit code. */
export async function resolveAddresses(
  old: string | undefined,
  now: string | undefined,
  options: Options<'resolve'>,
): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  const decision = decisionOf(options);
  const pairs = await pairsOf([old, now], options);
  return withActs(session, { command: 'resolve' }, async (ask) => {
    const asked = { decision, ...(options.run === undefined ? { moves: pairs } : { run: options.run }) };
    const { found, service } = await ask(people.resolveMoves, asked);
    const { moved, unfit, sources, hash } = found;
    if (moved.length === 0) {
      const why = unfit.length > 0 ? unfitLines(found).join('\n') : 'Nobody moves to a new address.';
      throw new InputError(`There is nothing to resolve at ${service}. Nothing was changed.\n${why}`);
    }
    const [first] = pairs;
    const isOne = pairs.length === 1 && first && !isRule(first);
    if (!isOne) {
      output.print(movesInWords(found, decision));
      const question = `Resolve ${count(moved.length, 'this move', 'these moves')}?`;
      const alone = 'Nothing was changed: there is no terminal to ask you on. Run it again with --yes.';
      const otherwise = 'Nothing was changed.';
      const refusal = options.yes ? undefined : await askForYes(question, { otherwise, alone }, output);
      if (refusal !== undefined) return refusal;
    }
    const { found: _, ...done } = await ask(people.resolveMoves, { ...asked, hash });
    const said = isOne ? sentence(first, decision) : `${count(moved.length, 'move is', 'moves are')} resolved.`;
    output.print(`${said} The next run of ${sources.join(', ')} sends ${moved.length === 1 ? 'it' : 'them'}.`);
    if (options.json) output.json('resolve', done);
    return 0;
  });
}

function decisionOf({ renamedThere = false, newAccount = false }: Options<'resolve'>): IdentityDecision {
  if (renamedThere !== newAccount) return renamedThere ? 'renamed-there' : 'new-account';
  throw new InputError(
    'Say one of --renamed-there (the service has the same account under the new address) and --new-account (it does not).',
  );
}

/** What the command names: two addresses or a rule, the pairs of a file, or nothing where a run has them. */
async function pairsOf(
  [old, now]: readonly (string | undefined)[],
  { file, run }: Options<'resolve'>,
): Promise<AddressPair[]> {
  if ([old, file, run].filter((each) => each !== undefined).length !== 1 || (old !== undefined && now === undefined)) {
    throw new InputError('Say who moves in one way: OLD NEW, @old.example @new.example, --file FILE or --run RUN.');
  }
  if (file !== undefined) return pairsOfRows(await readCells(file));
  return old === undefined || now === undefined ? [] : [{ old, new: now }];
}

function sentence(pair: AddressPair, decision: IdentityDecision): string {
  const [old, now] = [escapeText(pair.old), escapeText(pair.new)];
  if (old === now) {
    return decision === 'renamed-there'
      ? `${now} is the same person with a new employee id.`
      : `${now} is a different person now, who was never given anything.`;
  }
  return decision === 'renamed-there'
    ? `What was given to ${old} counts as given to ${now} from now on.`
    : `${now} is a new account; ${old} is left as it is, and nothing is sent for it.`;
}
