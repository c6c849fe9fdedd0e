// `fetch` over connections of ours, for libraries that take one.
import { type Dispatcher, fetch } from 'undici';

/** Fetches as the web does, over these connections. */
export function fetchThrough(dispatcher: Dispatcher): (url: string, options: object) => Promise<Response> {
  // undici's own answer is the web's in all but its class.
  return async (url, options) => await fetch(url, { ...options, dispatcher });
}
