// `token`: creates, lists and revokes API tokens.
import { keeping } from '../../core/settings/values.ts';
import { createToken as create, listTokens as list, revokeToken as revoke } from '../../acts/access.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { scimScope, scopes, type TokenScope } from '../../core/secrets/token.ts';
import type { Config } from '../../../config/load.ts';
import { table } from '../../report/terminal/layout.ts';
import { type GlobalOptions, openLedgerSession, tell, withActs } from '../frame/session.ts';

export interface TokenOptions extends GlobalOptions {
  name: string;
  scope: string;
  expires?: string;
}

function scopesIn(text: string, { sources, file = 'the settings' }: Config): TokenScope[] {
  const asked = text.split(',').map((scope) => scope.trim());
  return [...new Set(asked)].map((word) => {
    const scope = scopes.find((each) => each === word);
    if (scope !== undefined) return scope;
    const [, source] = /^scim:(.+)$/.exec(word) ?? [];
    if (source === undefined)
      throw new InputError(`--scope ${text}: write one or more of ${scopes.join(', ')}, with commas, or scim:SOURCE.`);
    if (Object.hasOwn(sources, source) && sources[source]?.scim) return scimScope(source);
    throw new InputError(`--scope ${text}: there is no source ${source} with \`scim: {}\` in ${file}.`);
  });
}

function expiryOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const ms = keeping().safeParse(text);
  if (!ms.success) throw new InputError(`--expires ${text}: write a time like 90d or 1y, or forever.`);
  return ms.data === Infinity ? null : new Date(Date.now() + ms.data).toISOString();
}

export async function createToken(options: TokenOptions): Promise<number> {
  const { name } = options;
  if (!/^[\w.@-]{1,64}$/.test(name)) {
    throw new InputError(`--name ${name}: write at most 64 letters, digits, dots, dashes or underscores.`);
  }
  const expiresAt = expiryOf(options.expires);
  const session = openLedgerSession(options);
  const { output, config } = session;
  const asked = { name, scopes: scopesIn(options.scope, config), expiresAt };
  const made = await withActs(session, { command: 'token create', create: true }, (ask) => ask(create, asked));
  if (options.json) output.json('token-created', made);
  else output.print(made.token);
  output.note(`This is the only time that the token ${name} is shown: keep it like a password.`);
  return 0;
}

export async function listTokens(options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'token list' }, [list, {}], ({ tokens }, output) => {
    const now = new Date().toISOString();
    const day = (at: string | null): string => at?.slice(0, 10) ?? 'never';
    const column = (heading: string, of: (token: (typeof tokens)[number]) => string) => ({
      heading,
      cells: tokens.map(of),
    });
    const columns = [
      column('Token', ({ name }) => escapeText(name)),
      column('scopes', ({ scopes }) => scopes.join(',')),
      column('is', ({ revokedAt, expiresAt }) =>
        revokedAt ? 'revoked' : expiresAt && expiresAt <= now ? 'expired' : 'good',
      ),
      column('expires', ({ expiresAt }) => day(expiresAt)),
      column('last used', ({ lastUsedAt }) => day(lastUsedAt)),
    ];
    if (tokens.length > 0) output.print(table(columns, output.style.width).join('\n'));
    else output.print('There are no tokens. `roster-sync token create --name NAME --scope read` makes one.');
    if (options.json) output.json('tokens', { tokens });
  });
}

export async function revokeToken(name: string, options: GlobalOptions): Promise<number> {
  return tell(options, { command: 'token revoke' }, [revoke, { name }], (revoked, output) => {
    output.print(`The token ${escapeText(name)} is revoked: it no longer works.`);
    if (options.json) output.json('token-revoked', revoked);
  });
}
