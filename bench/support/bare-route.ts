/**
 * A Fastify that only answers: it takes the body of `POST /hooks/staff` and says 202. In a process of its own.
 *
 *   node bare-route.ts
 */
import fastify from 'fastify';

const app = fastify({ logger: false });
app.removeAllContentTypeParsers();
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
app.post('/hooks/staff', (_request, reply) => reply.code(202).send({ status: 'accepted' }));
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
