// Describes a network error in one line, and tells a wrong address from an outage.

/** The longest description that is kept, in characters. */
const longest = 500;

/** Why an exchange failed, in one line: code and message of the error and its causes. Secrets are not taken out. */
export function describeFailure(error: Error): string {
  const parts = [...new Set(causes(error, 3).map(describeOne))].filter((part) => part !== '');
  return parts.join('; ').replaceAll(/\s+/g, ' ').slice(0, longest);
}

/** OpenSSL's and Node's codes of a failed TLS handshake, and the system's of an unknown name and a refused connection. */
const codesOfNobody =
  /^(ENOTFOUND|ECONNREFUSED|EPROTO|ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_)/;

/** Whether a connection could not be made because the service is not at this address: no such name, refused, or no TLS. */
export function isNobodyThere(error: Error): boolean {
  return causes(error, 3).some((each) => 'code' in each && codesOfNobody.test(String(each.code)));
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
