// How pages are answered: as HTML, with a policy that runs no script but the pages' own file.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../core/defined.ts';
import type { Html } from '../../core/text/format.ts';
import { type Frame, page } from '../../page/layout.ts';
import { readVersion } from '../../process/version.ts';
import type { ServerParts } from '../parts.ts';
import { viewerOf } from './session.ts';

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

export function sendPage(
  { context }: ServerParts,
  request: FastifyRequest,
  reply: FastifyReply,
  frame: Omit<Frame, 'version' | 'viewer' | 'service' | 'isQueueAway'>,
  body: Html,
): FastifyReply {
  const { baseUrl } = context.config.service;
  const service = baseUrl === undefined ? undefined : URL.parse(baseUrl)?.host;
  const viewer = request.session && viewerOf(request);
  const whole = page(
    {
      ...frame,
      version: readVersion(),
      isQueueAway: request.isQueueAway === true,
      ...defined({ viewer, service }),
    },
    body,
  );
  return (
    reply
      .header('content-security-policy', policy)
      // Without an origin a browser could not show that a form is our own.
      .header('referrer-policy', 'same-origin')
      .type('text/html; charset=utf-8')
      .send(whole.toString())
  );
}
