// Tells which run wrote a file of rejects.
import type { RosterFile } from '../open-roster.ts';

export async function runOfRejects(roster: Pick<RosterFile, 'form' | 'batches'>): Promise<string> {
  const index = roster.form.header.findIndex((name) => name.trim() === '_run');
  for await (const batch of roster.batches()) {
    const found = batch.map(({ cells }) => cells[index]?.trim() ?? '').find((run) => run !== '');
    if (found !== undefined) return found;
  }
  return '';
}
