// Writes a JSON document that ends in a long list, an item a line.
import { escapeJson } from '../../core/text/escape.ts';

/** What there is to say first, then under `name` the items as they come. */
export async function* jsonLines(head: object, name: string, items: AsyncIterable<object>): AsyncGenerator<string> {
  yield `${escapeJson(JSON.stringify(head, null, 2)).slice(0, -2)},\n  "${name}": [`;
  let before = '\n    ';
  for await (const item of items) {
    yield before + escapeJson(JSON.stringify(item));
    before = ',\n    ';
  }
  yield '\n  ]\n}\n';
}
