// Exports what others may use of the sandbox.

/** The stand-in for the service: both operations of interface.md over real HTTP, faults on demand, and a record. */
export { startSandbox, type Sandbox } from './server.ts';
export { sandboxToken, type SandboxOptions } from './options.ts';
export { connectSandbox } from './remote.ts';
export { parseFault } from './parse-fault.ts';
export { formatFault, faultGrammar, type Fault } from './fault.ts';
export { assumptionChoices, parseAssumptions } from './assumptions.ts';
export { mostCallsInWindow, overlappingCalls, repeatedCalls } from './measure.ts';
export type { SandboxCall } from './record.ts';
export type { AnswerItem, SandboxStory } from './stories.ts';
