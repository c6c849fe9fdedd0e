// The settings that earlier versions had, and what replaces them.

/** By the end of its name. */
const gone: Readonly<Record<string, string>> = {
  '.http.auth.signIn':
    'get a refresh token from the service or with its tool, and set auth.oauth2: { tokenUrl, clientId, refreshToken }',
  '.delta': 'remove it: each run reads everybody',
};

/** Undefined for one that never was. */
export function insteadOf(name: string): string | undefined {
  return Object.entries(gone).find(([end]) => name.endsWith(end))?.[1];
}
