import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';

/** One exchange of interface-examples.json: JSON bodies only. */
export interface InterfaceExample {
  title: string;
  request: Record<string, unknown>;
  response: { status: string; data: Record<string, unknown>[]; hash: string; response_time: number };
}

/** The examples written by hand from interface.md, for both sides of it. */
export interface InterfaceExamples {
  authorization: string;
  groupInsert: { method: string; path: string; cases: InterfaceExample[] };
  questionAnalysis: { method: string; path: string; cases: InterfaceExample[] };
}

export const interfaceExamples: InterfaceExamples = JSON.parse(
  readFileSync(new URL('interface-examples.json', import.meta.url), 'utf8'),
);

/** Starts a sandbox on a free port of loopback and closes it after the test. */
export async function openSandbox(test: TestContext, options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  test.after(() => sandbox.close());
  return sandbox;
}
