// The page of a source that is kept in the ledger: look, edit as YAML, remove.
import { RequestError } from '../../core/errors.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseKeptBlock, writeKeptSource } from '../../../config/kept-source.ts';
import { getSource, keepSource, removeSource } from '../../acts/sources.ts';
import { keptSource } from '../../page/kept-source.ts';
import { isFromConfig } from '../../wiring/kept-sources.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { sendPage } from './answers.ts';
import { requireScope, viewerOf } from './session.ts';

/** The most bytes of a form with such settings. */
const mostOfForm = 512 * 1024;

export function registerKeptSources(app: FastifyInstance, parts: ServerParts): void {
  const nameOf = ({ params }: FastifyRequest): string => (params as { name: string }).name;

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    typed?: { block: string; problems: string[] },
  ): Promise<FastifyReply> {
    const { name, by, at, settings } = await askOf(parts, request)(getSource, { source: nameOf(request) });
    const body = keptSource({
      ...{ name, by, at },
      block: typed?.block ?? settings,
      problems: typed?.problems ?? [],
      exported: writeKeptSource(name, settings),
      isOverruled: isFromConfig(parts.context.config, name),
      mayRun: viewerOf(request).mayRun,
    });
    return sendPage(parts, request, reply, { title: name, place: 'import' }, body);
  }

  app.get('/kept/:name', async (request, reply) => show(request, reply));

  app.post('/kept/:name', { bodyLimit: mostOfForm }, async (request, reply) => {
    requireScope(request, 'run');
    const { name } = await askOf(parts, request)(getSource, { source: nameOf(request) });
    const { block } = request.body as { block?: string };
    if (block === undefined) throw new RequestError(400, 'INPUT', 'The settings are missing from the form.');
    const text = block.replaceAll('\r\n', '\n');
    const parsed = parseKeptBlock(text);
    if ('problems' in parsed) return show(request, reply.code(422), { block: text, problems: parsed.problems });
    await askOf(parts, request)(keepSource, { source: name, settings: text });
    return reply.redirect(`/kept/${encodeURIComponent(name)}`, 303);
  });

  app.post('/kept/:name/remove', async (request, reply) => {
    await askOf(parts, request)(removeSource, { source: nameOf(request) });
    return reply.redirect('/import', 303);
  });
}
