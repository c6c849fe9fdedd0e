import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Any document of Kubernetes. */
export interface AnyDocument {
  apiVersion: string;
  kind: string;
}

interface Model {
  validate(): void;
}

/**
 * Checks documents by the kept schemas of Kubernetes (kubernetes-models). Throws for a value that is none, and for a field that
 * there is not: the schemas leave those alone, so a compiler looks for them.
 */
export async function checkDocuments(documents: readonly AnyDocument[]): Promise<void> {
  for (const document of documents) {
    const { apiVersion, kind } = document;
    const models = (await import(`kubernetes-models/${apiVersion}`)) as Record<string, new (data: object) => Model>;
    const Kind = models[kind];
    if (!Kind) throw new Error(`Kubernetes has no ${kind} in ${apiVersion}`);
    try {
      new Kind(document).validate();
    } catch (error) {
      throw new Error(`${kind}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'roster-sync-kubernetes-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const lines = documents.map(
      (document, at) =>
        `export const d${at}: import('kubernetes-models/${document.apiVersion}').I${document.kind} = ${JSON.stringify(document)};`,
    );
    writeFileSync(join(folder, 'documents.mts'), lines.join('\n'));
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', 'false', '--module', 'nodenext'];
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [compiler, ...flags, '--skipLibCheck', '--types', '', 'documents.mts'], {
      cwd: folder,
      encoding: 'utf8',
    });
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    throw new Error(said, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
