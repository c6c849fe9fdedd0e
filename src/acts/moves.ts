// The act that says what happens to people whose address changed, and does it.
import { type MovesToResolve, resolveMoves as resolve } from '../../jobs/upkeep/read-person.ts';
import { InputError, NotNowError } from '../core/errors.ts';
import { movesJson } from '../report/person/moves-words.ts';
import { act } from './act.ts';
import { serviceOf } from './perform.ts';
import { Moves, MovesBody } from './shapes/requests.ts';

export const resolveMoves = act({
  id: 'people.resolveMoves',
  scope: 'approve',
  input: MovesBody,
  output: Moves,
  async run({ context, by, origin }, { decision, moves, run, hash }) {
    if ((moves === undefined) === (run === undefined)) {
      throw new InputError('Say one of `moves` and `run`. Nothing was changed.');
    }
    const of = run ? { runId: run.id } : { pairs: moves ?? [] };
    const question: MovesToResolve = { decision, service: run?.service ?? serviceOf(context), of };
    const found = await resolve(context, question, hash === undefined ? undefined : { hash, by, origin });
    if (hash !== undefined && !found.isDone) {
      throw new NotNowError('These are not the moves that were shown: look again. Nothing was changed.', {
        code: 'CHANGED',
      });
    }
    return { ...movesJson(found, question), found };
  },
  audit: { none: 'the job that does it writes who did' },
  http: {
    route: 'POST /moves',
    operation: 'resolveMoves',
    summary: 'Say what it means that addresses changed',
    description: 'Ask without a hash first, look at what would become of it, then send the same with its hash.',
  },
});
