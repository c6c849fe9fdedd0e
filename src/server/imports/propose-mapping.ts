// The mapping that is proposed for a new kind of file.
import type { WrittenMapping } from '../../../config/source-schema.ts';
import type { ColumnSurvey } from '../../core/columns/column-survey.ts';
import { listColumns } from '../../core/columns/columns.ts';
import { type Proposal, propose, rulesOf } from '../../core/inspect/proposal.ts';
import { ColumnFinder } from '../../core/mapping/column-finder.ts';
import { findFields, type FoundFields } from '../../core/mapping/find-fields.ts';
import { byFlags } from '../../core/mapping/unsettled-columns.ts';
import { isRejectColumn } from '../../core/rows/row.ts';
import type { OfferedFilter } from './kept-uploads.ts';

export interface ProposedMapping {
  mapping: WrittenMapping;
  offered: OfferedFilter[];
  found: FoundFields;
  proposal: Proposal;
}

export function proposeMapping(
  header: readonly string[],
  surveys: readonly ColumnSurvey[],
  domain: string | undefined,
): ProposedMapping {
  const finder = new ColumnFinder(listColumns(header).filter(({ name }) => !isRejectColumn(name)));
  const found = findFields({}, finder, byFlags);
  const proposal = propose(found, surveys, domain);
  const { groups = [], ...rules } = rulesOf({ ...proposal, domains: [] });
  const mapping = { ...rules, ...(groups.length > 0 && { groups }) };
  const offered: OfferedFilter[] = [
    ...proposal.only.map(({ rule }) => ({ kind: 'only' as const, rule })),
    ...proposal.except.map(({ rule }) => ({ kind: 'except' as const, rule })),
  ];
  // Rules are plain data, as the config writes it.
  return { mapping: JSON.parse(JSON.stringify(mapping)) as WrittenMapping, offered, found, proposal };
}
