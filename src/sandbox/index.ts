// Exports what others may use of the sandbox.

/** The stand-in for the service: both operations of interface.md over real HTTP, faults on demand, and a record. */
export { startSandbox, type Sandbox } from './server.ts';
export { assumptionChoices, parseAssumptions, sandboxToken, type SandboxOptions } from './options.ts';
export { connectSandbox } from './control.ts';
export { formatFault, parseFault, type Fault } from './fault.ts';
export { mostCallsInWindow, overlappingCalls, repeatedCalls, type SandboxCall } from './record.ts';
export type { AnswerItem, SandboxStory } from './stories.ts';
