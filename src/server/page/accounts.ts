// The page of accounts: who may sign in, inviting by link, roles, ending sessions.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as access from '../../acts/access.ts';
import { type Role, roleIn } from '../../core/access/roles.ts';
import { InputError } from '../../core/errors.ts';
import { accountsPage, invitedPage, type Tried } from '../../page/accounts.ts';
import { t } from '../../page/words.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { formOf, originFor, requireScope, sendPage } from './session.ts';

const nameIn = (request: FastifyRequest): string => formOf(request)['name'] ?? '';

export function registerAccounts(app: FastifyInstance, parts: ServerParts): void {
  const { publicUrl } = parts.context.config.server;
  app.addHook('preHandler', async (request) => requireScope(request, 'access'));

  async function show(request: FastifyRequest, reply: FastifyReply, tried?: Tried): Promise<FastifyReply> {
    const users = await askOf(parts, request)(access.listAccounts, {});
    const body = accountsPage(users, request.by, tried);
    return sendPage(parts, request, reply, { title: t('Accounts'), place: 'accounts' }, body);
  }

  async function sendLink(
    request: FastifyRequest,
    reply: FastifyReply,
    asked: { name: string; role?: Role },
  ): Promise<FastifyReply> {
    const invited = await askOf(parts, request)(access.inviteUser, asked);
    const address = (publicUrl ?? originFor(request)).replace(/\/$/, '') + invited.path;
    return sendPage(parts, request, reply, { title: t('A link'), place: 'accounts' }, invitedPage(invited, address));
  }

  app.get('/accounts', async (request, reply) => show(request, reply));

  app.post('/accounts', async (request, reply) => {
    const { name = '', role = '' } = formOf(request);
    try {
      return await sendLink(request, reply, { name, role: roleIn(role) });
    } catch (error) {
      if (error instanceof InputError) return show(request, reply.code(422), { name, role, why: error.message });
      throw error;
    }
  });

  app.post('/accounts/link', async (request, reply) => sendLink(request, reply, { name: nameIn(request) }));

  app.post('/accounts/role', async (request, reply) => {
    const role = roleIn(formOf(request)['role'] ?? '');
    await askOf(parts, request)(access.changeRole, { name: nameIn(request), role });
    return reply.redirect('/accounts', 303);
  });

  app.post('/accounts/sign-out', async (request, reply) => {
    await askOf(parts, request)(access.signOut, { name: nameIn(request) });
    return reply.redirect('/accounts', 303);
  });

  app.post('/accounts/remove', async (request, reply) => {
    await askOf(parts, request)(access.removeAccount, { name: nameIn(request) });
    return reply.redirect('/accounts', 303);
  });
}
