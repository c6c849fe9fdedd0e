import type { FastifyInstance } from 'fastify';
import type { ServerParts } from './parts.ts';

/** Starts runs of the sources when they are due; nothing yet. What is opened here ends in `app.addHook('onClose', …)`. */
export async function registerSchedule(_app: FastifyInstance, _parts: ServerParts): Promise<void> {}
