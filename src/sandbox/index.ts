/** The stand-in for the service: both operations of interface.md over real HTTP, faults on demand, and a record. */
export { startSandbox, type Sandbox } from './server.ts';
export { sandboxToken, type SandboxOptions } from './options.ts';
export { connectSandbox, type RemoteSandbox } from './remote.ts';
export { parseFault, formatFault, faultGrammar, type Fault, type FaultBody } from './fault.ts';
export type { FaultState } from './fault-list.ts';
export { assumptionChoices, parseAssumptions, type Assumptions } from './assumptions.ts';
export { mostCallsInWindow, overlappingCalls, repeatedCalls, type Overlap, type Repeat } from './measure.ts';
export type { CallTotals, RecordDepth, SandboxCall } from './record.ts';
export type { SandboxStats } from './stats.ts';
export type { SandboxGroup, SandboxUser, UserFields } from './people.ts';
export type { Invitation } from './outbox.ts';
export { seededStories, type AnswerItem, type SandboxQuestion, type SandboxStory } from './stories.ts';
