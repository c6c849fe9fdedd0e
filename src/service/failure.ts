// Describes a network error in one line.

/** The longest description that is kept, in characters. */
const longest = 500;

/**
 * Says in one line why an exchange failed: the system's or undici's code and the message, of the error and of what
 * caused it. Secrets are not taken out here.
 */
export function describeFailure(error: Error): string {
  const parts = [...new Set(causes(error, 3).map(describeOne))].filter((part) => part !== '');
  return parts.join('; ').replaceAll(/\s+/g, ' ').slice(0, longest);
}

/** The error, those it was made of (one per address that was tried), and its causes, up to a depth. */
function causes(error: Error, depth: number): Error[] {
  const below = [...(error instanceof AggregateError ? (error.errors as unknown[]) : []), error.cause];
  const deeper = depth === 0 ? [] : below.flatMap((cause) => (cause instanceof Error ? causes(cause, depth - 1) : []));
  return [error, ...deeper];
}

function describeOne(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error.message === '') return error instanceof AggregateError ? '' : code;
  return code === '' || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
