import type { Content, ExportRow } from '../company.ts';

/** What the roster of one night looks like, counted from its rows. */
export interface Roster {
  /** Everything that stands in it. */
  text: string;
  rows: number;
  /** Rows that cannot be used: they have no address. */
  rejects: number;
  members: number;
  /** Rows in which a column has something. */
  filled: ReadonlyMap<string, number>;
  /** Rows with an address of each domain. */
  domains: ReadonlyMap<string, number>;
  /** Who is in each group. */
  groups: ReadonlyMap<string, ReadonlySet<string>>;
  /** Rows of people who have left. */
  gone: number;
}

const columns = ['id', 'first', 'last', 'email', 'department', 'starts'] as const;

/** Counts a roster. */
export function look(rows: readonly ExportRow[], members: ReadonlyMap<string, Content>): Roster {
  const filled = new Map(columns.map((column) => [column, rows.filter((row) => row[column] !== '').length]));
  const usable = rows.filter(({ email }) => email !== '');
  const domains = new Map<string, number>();
  for (const { email } of usable) {
    const [, domain = ''] = email.split('@');
    domains.set(domain, (domains.get(domain) ?? 0) + 1);
  }
  const groups = new Map<string, Set<string>>();
  for (const [key, { groups: own }] of members)
    for (const group of own) groups.set(group, (groups.get(group) ?? new Set()).add(key));
  return {
    ...{ text: JSON.stringify(rows), rows: rows.length, rejects: rows.length - usable.length },
    ...{ members: members.size, filled, domains, groups },
    gone: usable.filter(({ status }) => status !== 'Active').length,
  };
}
