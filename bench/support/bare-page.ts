/**
 * A Fastify that only answers, with 40 KB of HTML. In a process of its own.
 *
 *   node bare-page.ts
 */
import fastify from 'fastify';

const app = fastify({ logger: false });
const page = `<!doctype html><title>x</title>${'<p>Nobody is here.</p>\n'.repeat(1800)}`;
app.get('/', (_request, reply) => reply.type('text/html').send(page));
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
