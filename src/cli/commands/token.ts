// `token`: creates, lists and revokes API tokens.
import { randomBytes } from 'node:crypto';
import { keeping } from '../../../config/values.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import {
  hashToken,
  makeToken,
  scimScope,
  scopes,
  tokenBytes,
  type TokenScope,
  writeToken,
} from '../../core/secrets/token.ts';
import type { Config } from '../../../config/load.ts';
import type { Token } from '../../ledger/access/tokens.ts';
import type { Content } from '../../report/documents/documents.ts';
import { table } from '../../report/terminal/layout.ts';
import { osUser } from '../frame/os-user.ts';
import { type GlobalOptions, openLedgerSession, withLedger } from '../frame/session.ts';

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

function expiryOf(text: string | undefined): Date | null {
  if (text === undefined) return null;
  const ms = keeping().safeParse(text);
  if (!ms.success) throw new InputError(`--expires ${text}: write a time like 90d or 1y, or forever.`);
  return ms.data === Infinity ? null : new Date(Date.now() + ms.data);
}

function tokenJson({
  id,
  name,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
}: Token): Content<'tokens'>['tokens'][number] {
  return { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt };
}

export async function createToken(options: TokenOptions): Promise<number> {
  const { name } = options;
  if (!/^[\w.@-]{1,64}$/.test(name)) {
    throw new InputError(`--name ${name}: write at most 64 letters, digits, dots, dashes or underscores.`);
  }
  const expiresAt = expiryOf(options.expires);
  const session = openLedgerSession(options);
  const { output, config } = session;
  const asked = scopesIn(options.scope, config);
  return withLedger(session, { command: 'token create', create: true }, async ({ ledger }) => {
    const parts = makeToken(randomBytes(tokenBytes));
    await ledger.addToken({ id: parts.id, name, hash: hashToken(parts.secret), scopes: asked, expiresAt });
    await ledger.noteDeed({ by: osUser(), action: `create token ${name}`, origin: '' });
    const token = writeToken(parts);
    if (options.json) output.json('token-created', { id: parts.id, name, scopes: asked, expiresAt, token });
    else output.print(token);
    output.note(`This is the only time that the token ${name} is shown: keep it like a password.`);
    return 0;
  });
}

export async function listTokens(options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withLedger(session, { command: 'token list' }, async ({ ledger }) => {
    const tokens = await ledger.listTokens();
    const now = new Date();
    const day = (date: Date | null): string => date?.toISOString().slice(0, 10) ?? 'never';
    const column = (heading: string, of: (token: Token) => string) => ({ heading, cells: tokens.map(of) });
    const columns = [
      column('Token', ({ name }) => escapeText(name)),
      column('scopes', ({ scopes }) => scopes.join(',')),
      column('is', ({ revokedAt, expiresAt }) =>
        revokedAt ? 'revoked' : expiresAt && expiresAt <= now ? 'expired' : 'good',
      ),
      column('expires', ({ expiresAt }) => day(expiresAt)),
      column('last used', ({ lastUsedAt }) => day(lastUsedAt)),
    ];
    if (tokens.length === 0)
      output.print('There are no tokens. `roster-sync token create --name NAME --scope read` makes one.');
    else output.print(table(columns, output.style.width).join('\n'));
    if (options.json) output.json('tokens', { tokens: tokens.map(tokenJson) });
    return 0;
  });
}

export async function revokeToken(name: string, options: GlobalOptions): Promise<number> {
  const session = openLedgerSession(options);
  const { output } = session;
  return withLedger(session, { command: 'token revoke' }, async ({ ledger }) => {
    if (!(await ledger.revokeToken(name)))
      throw new InputError(`There is no token ${name}; \`roster-sync token list\` shows them.`);
    await ledger.noteDeed({ by: osUser(), action: `revoke token ${name}`, origin: '' });
    output.print(`The token ${escapeText(name)} is revoked: it no longer works.`);
    if (options.json) output.json('token-revoked', { name, revoked: true });
    return 0;
  });
}
