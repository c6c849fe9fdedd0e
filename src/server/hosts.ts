// Refuses requests for foreign host names or from foreign pages.
import { RequestError } from '../core/errors.ts';
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../core/host/this-machine.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers under any name, and to any page: what is signed, and what says nothing of people or settings. */
    anyHost?: boolean;
  }
}

function nameIn(authority: string): string {
  return URL.parse(`http://${authority}`)?.hostname ?? '';
}

/** A foreign page can point a name of its own at this machine (DNS rebinding), but not an address or a known name. */
function isOurs(name: string, names: ReadonlySet<string>): boolean {
  return isLoopback(name) || isIP(name.replace(/^\[|\]$/g, '')) > 0 || names.has(name);
}

/**
 * Refuses requests under foreign names, and those that a foreign page makes a browser send. An origin is ours when it
 * names the host that was asked.
 * @param hosts the names of this server, besides loopback names and addresses
 */
export function checkHosts(app: FastifyInstance, hosts: readonly string[]): void {
  const names = new Set(hosts.map((host) => nameIn(host)));
  const isForeign = ({ headers }: FastifyRequest): string | undefined => {
    const name = nameIn(headers.host ?? '');
    if (!isOurs(name, names)) {
      return 'This server does not answer to that name. Its operator can add the name to server.hosts.';
    }
    const { origin } = headers;
    if (origin === undefined || URL.parse(origin)?.host === URL.parse(`http://${headers.host}`)?.host) return undefined;
    return 'A page of another origin must not call this server.';
  };
  app.addHook('onRequest', async (request) => {
    const refusal = request.routeOptions.config.anyHost === true ? undefined : isForeign(request);
    if (refusal !== undefined) throw new RequestError(403, 'FOREIGN_HOST', refusal);
  });
}
