import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { parseSync, Visitor } from 'oxc-parser';
import { type Home, homes } from './homes.ts';

const file = join(import.meta.dirname, '../../src/ledger/database/schema.ts');

/** Each interface of the schema: its properties, and their types as written. */
function readInterfaces(): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  const text = readFileSync(file, 'utf8');
  const { program, errors } = parseSync(file, text);
  assert.deepEqual(errors, []);
  new Visitor({
    TSInterfaceDeclaration({ id, body }) {
      const properties = body.body.flatMap((each): [string, string][] => {
        if (each.type !== 'TSPropertySignature' || each.key.type !== 'Identifier' || !each.typeAnnotation) return [];
        const { start, end } = each.typeAnnotation.typeAnnotation;
        return [[each.key.name, text.slice(start, end)]];
      });
      found.set(id.name, new Map(properties));
    },
  }).visit(program);
  return found;
}

/** What PostgreSQL calls the types that TypeScript has fewer of. */
const classes: Record<string, string> = {
  ...{ bigint: 'number', integer: 'number', smallint: 'number', 'double precision': 'number' },
  ...{ text: 'text', date: 'text', boolean: 'boolean', jsonb: 'json', 'timestamp with time zone': 'time' },
  ARRAY: 'list',
};

/** A column of a type as `class`, `class or null`, each perhaps `with default`. */
function columnOf(type: string): string {
  const bare = type.replace(/ \| null(>?)$/, '$1').replace(/^Generated<(.*)>$/s, '$1');
  const selected = /^ColumnType<(.*?), (.*), .*>$/s.exec(bare);
  const nullable =
    type.endsWith(' | null') || /^Generated<.* \| null>$/.test(type) || selected?.[1]?.endsWith(' | null') === true;
  const hasDefault = type.startsWith('Generated<') || selected?.[2]?.includes('undefined') || selected?.[2] === 'never';
  return say({ kind: classOf(selected?.[1] ?? bare), nullable, hasDefault });
}

function classOf(type: string): string {
  const plain = type.replace(/ \| null$/, '');
  if (plain === 'number' || plain === 'boolean') return plain;
  if (plain === 'Date' || plain === 'Time') return 'time';
  if (plain === 'string[]' || plain === 'number[]') return 'list';
  // Unions of texts have names of their own.
  return plain === 'Names' || plain.startsWith('JSONColumnType<') || plain.endsWith('[]') ? 'json' : 'text';
}

const withDefault = ', with a default';
const say = ({ kind, nullable, hasDefault }: { kind: string; nullable: boolean; hasDefault: boolean }): string =>
  `${kind}${nullable ? ' or null' : ''}${hasDefault ? withDefault : ''}`;

interface FoundColumn {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
  hasDefault: boolean;
}

for (const { name, skip, open } of homes) {
  suite(`the types of the tables, ${name}`, { skip }, () => {
    let home: Home;
    before(async () => {
      home = await open();
      await home.ledger('one');
    });
    after(() => home.close());

    test('are those of a migrated database: every column of a table that is typed, its kind, and whether it may be null or absent', async () => {
      const { rows } = await home.pool.query<FoundColumn>(`
        select c.table_name as "table", c.column_name as "column", c.data_type as type, c.is_nullable = 'YES' as nullable,
          c.column_default is not null or c.is_identity = 'YES' as "hasDefault" from information_schema.columns c
        where c.table_schema = 'public' and c.table_name not like 'kysely%' and c.table_name not like 'bullmq%'`);
      const interfaces = readInterfaces();
      const tables = [...(interfaces.get('Tables') ?? [])];
      assert.ok(tables.length > 10);
      const columns = tables.flatMap(([table, type]) =>
        [...(interfaces.get(type) ?? [])].map(([column, of]) => [`${table}.${column}`, columnOf(of)] as const),
      );
      const written = new Map<string, string>(columns);
      const typed = rows.filter(({ table }) => tables.some(([each]) => each === table));
      const present = typed.map(({ table, column, type, nullable, hasDefault }) => {
        const place = `${table}.${column}`;
        // A type may insist on a value where the database has a default.
        const mayLack = hasDefault && written.get(place)?.endsWith(withDefault) !== false;
        const kind = classes[type] ?? type;
        return [place, say({ kind, nullable, hasDefault: mayLack })] as const;
      });
      const sorted = (named: readonly (readonly [string, string])[]): Record<string, string> =>
        Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      assert.deepEqual(sorted(columns), sorted(present));
    });
  });
}
