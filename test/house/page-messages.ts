// Finds every message of the pages: what `t`, `count`, `words` and templates of `html` say.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { translate } from '../../src/page/template.ts';

const root = join(import.meta.dirname, '../..');

/** What a file says, and what of it is no message: a text that no function has marked, or a template outside of functions. */
export interface Said {
  file: string;
  messages: string[];
  faults: string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** A text that people read: words with blanks between them, or one that begins with a capital. */
const isRead = (text: string): boolean => /\p{L}{2}[,:.]? \p{L}/u.test(text) || /^\p{Lu}\p{Ll}+$/u.test(text);

function literalsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(literalsIn);
  const { type, value, test: _condition, ...others } = node as Node;
  if (type === 'Literal') return typeof value === 'string' ? [value] : [];
  return type === 'ConditionalExpression' ? Object.values(others).flatMap(literalsIn) : [];
}

export function messagesOf(file: string): Said {
  const program = readFileSync(join(root, file), 'utf8');
  const messages: string[] = [];
  const faults: string[] = [];
  const marked: [number, number][] = [];
  const isMarked = ({ start, end }: Node): boolean => marked.some(([from, to]) => from <= start && end <= to);
  let depth = 0;
  const [enter, leave] = [() => void (depth += 1), () => void (depth -= 1)];
  const skip = (node: unknown) => marked.push([(node as Node).start, (node as Node).end]);
  new Visitor({
    ...{ FunctionDeclaration: enter, 'FunctionDeclaration:exit': leave },
    ...{ FunctionExpression: enter, 'FunctionExpression:exit': leave },
    ...{ ArrowFunctionExpression: enter, 'ArrowFunctionExpression:exit': leave },
    ...{
      ImportDeclaration: skip,
      TSLiteralType: skip,
      BinaryExpression: skip,
      SwitchCase: ({ test }) => skip(test ?? {}),
    },
    CallExpression(node) {
      const name = node.callee.type === 'Identifier' ? node.callee.name : '';
      const [first, second, third] = node.arguments;
      if (name === 't' || name === 'words') {
        messages.push(...literalsIn(first));
        skip(first);
      } else if (name === 'count' && second?.type === 'Literal') {
        const one = String(second.value);
        const many = third?.type === 'Literal' ? String(third.value) : `${one}s`;
        messages.push(`[1 ${one}|# ${many}]`);
        skip(node);
      }
      if (name === 't' && depth === 0) faults.push(`${file}: t outside of a function: ${literalsIn(first).join()}`);
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'html') return;
      const before = messages.length;
      translate(
        quasi.quasis.map(({ value }) => value.cooked ?? ''),
        (message) => (messages.push(message), message),
      );
      if (depth === 0 && messages.length > before)
        faults.push(`${file}: a template outside of functions: ${messages.at(-1)}`);
    },
    Literal(node) {
      if (typeof node.value === 'string' && isRead(node.value) && !isMarked(node as unknown as Node))
        faults.push(`${file}: “${node.value}”`);
    },
    TemplateLiteral(node) {
      const texts = node.quasis.map(({ value }) => value.cooked ?? '');
      const isHtml = program.slice(0, node.start).endsWith('html');
      if (!isHtml && texts.some(isRead) && !isMarked(node as unknown as Node))
        faults.push(`${file}: \`${texts.join('…')}\``);
    },
  }).visit(parseSync(file, program).program);
  return { file, messages, faults };
}

/** What all pages say. */
export const saidOnPages = (): Said[] =>
  globSync(['src/page/*.ts', 'src/server/page/*.ts'], { cwd: root }).map(messagesOf);

if (import.meta.main) {
  const all = saidOnPages();
  for (const { faults } of all) for (const fault of faults) process.stderr.write(`${fault}\n`);
  const messages = [...new Set(all.flatMap(({ messages }) => messages))].toSorted();
  process.stdout.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
}
