import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { acts } from '../../src/acts/acts.ts';
import { type DocumentName, documents } from '../../src/acts/shapes/documents.ts';
import { Nothing } from '../../src/acts/shapes/parts.ts';
import { leafCommands } from '../../docs/generate.ts';
import { handlerOf } from '../../src/cli/program.ts';
import { dataOf, readFiles } from '../../src/data/data.ts';
import type { Commands } from '../../src/data/schemas.ts';
import type { Reference } from '../../src/data/described.ts';
import { sentences } from '../../src/core/words/say.ts';
import { ownScopes } from '../../src/core/secrets/token.ts';
import { startApiServer } from '../server/api-server.ts';

const root = join(import.meta.dirname, '../..');

test('every act says who may ask for it, what the audit calls it, and which request asks for it, or why none', () => {
  for (const { id, scope, audit, http } of acts) {
    assert.match(id, /^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/);
    assert.ok(ownScopes.includes(scope), id);
    const word = typeof audit === 'string' ? audit : 'none' in audit ? audit.none : 'from its answer';
    assert.ok(word.length > 3, id);
    assert.ok(('route' in http ? http.summary : http.none).length > 3, id);
  }
  assert.equal(new Set(acts.map(({ id }) => id)).size, acts.length, 'no two have one id');
});

test('the reference describes shapes and requests that are there', () => {
  const files = globSync('src/**/*.ts', { cwd: root });
  const code = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const operations = acts.flatMap(({ http }) => ('route' in http ? [http.operation] : []));
  const isThere = (name: string) => operations.includes(name) || code.some((text) => text.includes(`'${name}'`));
  const named = Object.values(readFiles<Reference>('reference')).flatMap((file) => Object.keys(file));
  assert.deepEqual(
    named.filter((name) => !isThere(name)),
    [],
  );
  assert.equal(new Set(named).size, named.length, 'each is described in one place');
});

test('every request of the API comes from an act', async (t) => {
  const server = await startApiServer();
  t.after(server.close);
  const { json } = await server.ask('/api/v1/openapi.json');
  const routes = Object.values((json as { paths: Record<string, Record<string, { operationId: string }>> }).paths);
  const asked = routes.flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
  const ofActs = acts.flatMap(({ http }) => ('route' in http ? [http.operation] : []));
  assert.deepEqual(asked.toSorted(), ofActs.toSorted());
});

/**
 * The act that answers what a command prints with `--json`: that of runs with its name, unless another one is named here; or
 * whose it is, where no act answers it as it is.
 */
const documentsOf: Partial<Record<DocumentName, string>> = {
  run: 'runs.get',
  plan: 'of whoever conducts a run: nothing is kept of a rehearsal',
  runs: 'runs.list',
  person: 'people.get',
  inspect: 'of the command: it reads a file of the terminal',
  init: 'of the command: it writes a file of the terminal',
  resolve: 'people.resolveMoves',
  sources: 'of the command: an act lists them, and it says where each is from',
  'sources-kept': 'of the command: an act keeps each',
  'source-removed': 'of the command: an act removes it',
  schedules: 'sources.schedules',
  'left-behind': 'leftBehind.list',
  answers: 'stories.answers',
  completion: 'of the command: it asks the service, and an act for the roster',
  forget: 'people.forget',
  prune: 'upkeep.prune',
  export: 'of the command: it moves the ledger away',
  'import-ledger': 'of the command: it moves a ledger in',
  config: 'of the command: it reads the settings of the terminal',
  doctor: 'of the command: it looks at the machine, and asks an act about the ledger',
  'token-created': 'access.createToken',
  tokens: 'access.tokens',
  'token-revoked': 'access.revokeToken',
  users: 'access.accounts',
  user: 'access.addAccount',
};

/** Of a schema that is one of several objects, those of any. */
function fieldsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => fieldsOf(option));
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

/** The shape of a field where it is there. */
const always = (shape: unknown): unknown => (shape as { unwrap?(): unknown }).unwrap?.() ?? shape;

test('every document that a command prints is what an act answers, or says whose it is', () => {
  for (const name of Object.keys(documents)) {
    const of = documentsOf[name as DocumentName] ?? `runs.${name}`;
    const { output } = acts.find(({ id }) => id === of) ?? {};
    if (output === undefined) assert.match(of, /^of (?:the command|whoever conducts a run): /, name);
    else {
      const document = documents[name as DocumentName];
      const said = new Set(fieldsOf(output));
      assert.ok(
        said.size > 0 && fieldsOf(document).some((field) => said.has(field)),
        `${of} answers nothing of ${name}`,
      );
      if (document === output) continue;
      // The same field is the same shape, wherever it is said.
      const shape = output instanceof z.ZodObject ? (output.shape as Record<string, unknown>) : {};
      const own = document instanceof z.ZodObject ? (document.shape as Record<string, unknown>) : {};
      for (const field of Object.keys(own))
        if (field in shape) assert.equal(always(shape[field]), always(own[field]), `${name}.${field}`);
    }
  }
});

test('what an act answers is described, field by field', () => {
  for (const { id, output } of acts) {
    if (!(output instanceof z.ZodObject) || output === Nothing) continue;
    assert.notEqual(fieldsOf(output).length, 0, id);
  }
});

/** They conduct a run with whoever is there, or serve: they open the ledger for as long as they last. */
const conversations = ['import', 'serve', 'sync'];

test('every command asks for acts, but for conversations and servers', () => {
  const files = globSync('src/cli/commands/*.ts', { cwd: root });
  const byHand = files.filter((path) => /\bwithContext\(/.test(readFileSync(join(root, path), 'utf8')));
  const names = byHand.map((path) => basename(path, '.ts'));
  assert.deepEqual(new Set(names), new Set(conversations));
});

/** Commands that ask for no act: the machine, a file or the service answers them, or another command does. */
const withoutActs = ['completions', 'config', 'demo', 'inspect', 'sandbox'];

test('every command names the acts that it asks for, but for conversations and what no ledger is needed for', () => {
  const files = new Set(
    readFileSync(join(root, 'src/cli/program.ts'), 'utf8').match(/(?<=commands\/)[a-z-]+(?=\.ts)/g),
  );
  const silent = [...files].filter((name) => {
    return !/acts\/(?!act\.ts)[a-z-]+\.ts/.test(readFileSync(join(root, `src/cli/commands/${name}.ts`), 'utf8'));
  });
  const left = silent.filter((name) => !conversations.includes(name));
  assert.deepEqual(left.toSorted(), withoutActs);
});

test('every command without commands below it has code that its file exports', async () => {
  const declared = Object.values(dataOf<Commands>('commands')()).flatMap(({ commands }) =>
    Object.entries(commands ?? {}),
  );
  const does = new Map(
    declared.flatMap(([words, command]) => (command.does === undefined ? [] : [[words, command.does]])),
  );
  const hidden = ['completion', '__complete'];
  const leaves = leafCommands().map(([words]) => words);
  assert.deepEqual(leaves.filter((words) => !hidden.includes(words)).toSorted(), [...does.keys()].toSorted());
  for (const each of does.values()) assert.equal(typeof (await handlerOf(each)), 'function', each);
});

/** Where people are told what to type or to press; below, a next step is a value. */
const faces = /^src\/(?:cli|data\/(?:commands|sentences(?=\/at-terminal\.yaml))|page|server\/page|report\/terminal)\//;
/** They describe the JSON of a command or a setting, or call another program. */
const others = /^src\/(?:acts\/shapes|data\/reference|roster\/pgp|core\/guards\/guards-schema)/;

test('a command or a flag is named by a face alone', () => {
  const named = leafCommands().map(([words]) => words.split(' ')[0]);
  const flags = leafCommands().flatMap(([, { options }]) => options.flatMap(({ long }) => long ?? []));
  const said = new RegExp(
    `roster-sync (?:${[...new Set(named)].join('|')})\\b|(?<![\\w-])(?:${flags.join('|')})(?![\\w-])`,
  );
  const files = globSync(['src/**/*.{ts,yaml}', 'jobs/**/*.ts'], { cwd: root });
  const found = files.flatMap((file) => {
    if (faces.test(file) || others.test(file)) return [];
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    const isCode = (line: string): boolean => !/^\s*(?:\/\/|\/?\*|#)/.test(line);
    return lines.filter((line) => isCode(line) && said.test(line)).map((line) => `${file}: ${line.trim()}`);
  });
  assert.deepEqual(found, []);
  assert.match('Then run `roster-sync resume RUN`.', said);
  assert.match('Say it with --encoding.', said);
});

test('a next step is an act of the table, or one that only a terminal has', () => {
  const said = Object.keys(sentences()).flatMap(
    (name) => /^next-((?!read|server|delivery)\w+\.\w+)$/.exec(name)?.[1] ?? [],
  );
  const ofTerminal = ['sources.init', 'sources.plan', 'stories.history', 'upkeep.doctor', 'upkeep.movedHere'];
  const known = [...acts.map(({ id }) => id), ...ofTerminal, 'upkeep.rebuild', 'upkeep.undoExport'];
  assert.ok(said.length > 15);
  assert.deepEqual(
    said.filter((id) => !known.includes(id)),
    [],
  );
  const atTerminal = Object.keys(sentences()).flatMap((name) => /^command-(.+)$/.exec(name)?.[1] ?? []);
  assert.deepEqual(atTerminal.toSorted(), said.toSorted(), 'each has a command');
});
