// Says which request to send, where a sentence says what to type.

/** Beside a command, the request that does the same. A command without one stays alone. */
export function whatToAsk(sentence: string): string {
  return sentence.replaceAll(commands, (typed, all: string) => {
    const request = requestFor(all.split(' '));
    return request === undefined ? typed : `\`roster-sync ${all}\` (here: \`${request}\`)`;
  });
}

const commands =
  /[`"]?roster-sync ((?:approve|cancel|pause|resume|retry) [\w-]+|show [\w-]+(?: --rejects [\w.-]+)?|runs|forget ADDRESS --undo|resolve \S+ \S+ --[\w-]+)[`"]?/g;

function requestFor([command = '', run = '', flag]: readonly string[]): string | undefined {
  if (command === 'runs') return 'GET /api/v1/runs';
  if (command === 'forget') return 'POST /api/v1/person/allow';
  if (command === 'resolve') return 'POST /api/v1/moves';
  if (command === 'show') return `GET /api/v1/runs/${run}${flag === undefined ? '' : '/rejects'}`;
  return `POST /api/v1/runs/${run}/${command}`;
}
