// What to do next, as a value: only a face knows the command, the button or the request for it.
import { defined } from './defined.ts';

type OnRun = 'get' | 'rejects' | 'departed' | 'approve' | 'cancel' | 'resume' | 'retry';

/** An act, with the run, the name or the move that it is about. */
export interface ActStep {
  act:
    | `runs.${'list' | OnRun}`
    | `people.${'allow' | 'resolveMoves'}`
    | `sources.${'init' | 'plan' | 'schedules'}`
    | 'stories.history'
    | `access.${'createToken' | 'tokens' | 'revokeToken' | 'accounts' | 'changePassword' | 'changeRole'}`
    | `upkeep.${'doctor' | 'rebuild' | 'movedHere' | 'undoExport'}`;
  run?: string;
  name?: string;
  old?: string;
  new?: string;
}

/** A setting, with the value to give it. */
export interface SettingStep {
  setting:
    | ('config' | 'only' | 'onlyActive' | 'everybody' | 'asOf' | 'passwordFile' | 'server.port')
    | `delivery.${'rate' | 'maxInvitations'}`
    | `read.${'encoding' | 'delimiter' | 'sheet' | 'allSheets' | 'records'}`;
  value?: string;
}

export type NextStep = ActStep | SettingStep;

/** What can be done with a run; of a plan that is none yet, with the run that it will be. */
export function onRun(run: string | undefined, ...acts: readonly OnRun[]): ActStep[] {
  return acts.map((act) => ({ act: `runs.${act}`, ...defined({ run }) }));
}
