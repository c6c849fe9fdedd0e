import { readFile } from 'node:fs/promises';

declare const WebAssembly: { compile(code: Uint8Array): Promise<object> };

const kept: object[] = [];

/**
 * Keeps the compiled code of the embedded database in this process: while it is kept, V8 does not compile it anew each time
 * that one is opened, which is half of the processor time that takes. For whoever opens more than a few.
 */
export async function keepEmbeddedCode(): Promise<void> {
  if (kept.length > 0) return;
  const code = await readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite')));
  kept.push(await WebAssembly.compile(code));
}
