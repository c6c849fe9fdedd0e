// The page of a source that is kept in the ledger: look, edit as YAML, remove.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseKeptBlock, writeKeptSource } from '../../../config/kept-source.ts';
import { keepSource, removeSource } from '../../acts/sources.ts';
import { keptSource } from '../../page/kept-source.ts';
import { isFromConfig, learnKeptSources } from '../../wiring/kept-sources.ts';
import { askOf } from '../api/mount.ts';
import type { ServerParts } from '../parts.ts';
import { RequestError } from '../problems.ts';
import { sendPage } from './answers.ts';
import { requireScope, viewerOf } from './session.ts';

/** The most bytes of a form with such settings. */
const mostOfForm = 512 * 1024;

export function registerKeptSources(app: FastifyInstance, parts: ServerParts): void {
  const { context } = parts;
  const { ledger, config } = context;
  const nameOf = ({ params }: FastifyRequest): string => (params as { name: string }).name;

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    typed?: { block: string; problems: string[] },
  ): Promise<FastifyReply> {
    const name = nameOf(request);
    const found = (await learnKeptSources(context)).find((source) => source.name === name);
    if (!found) throw notKept();
    const body = keptSource({
      name,
      by: found.by,
      at: found.at.toISOString(),
      block: typed?.block ?? found.block,
      problems: typed?.problems ?? [],
      exported: writeKeptSource(name, found.block),
      isOverruled: isFromConfig(config, name),
      mayRun: viewerOf(request).mayRun,
    });
    return sendPage(parts, request, reply, { title: name, place: 'import' }, body);
  }

  app.get('/kept/:name', async (request, reply) => show(request, reply));

  app.post('/kept/:name', { bodyLimit: mostOfForm }, async (request, reply) => {
    requireScope(request, 'run');
    const name = nameOf(request);
    if (!(await ledger.listKeptSources()).some((source) => source.name === name)) throw notKept();
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

function notKept(): RequestError {
  return new RequestError(404, 'NO_SOURCE', 'No source of this name is kept. It may have been removed.');
}
