// Declares the commands that steer a run: resume, retry, pause, approve, cancel.
import { collect, type RosterCommand, shared } from './roster-command.ts';

export function addSteeringCommands(program: RosterCommand): void {
  program
    .command('resume')
    .description('Continue a run that was interrupted, paused or halted.')
    .argument(...shared.run)
    .option('--now', 'call the service although it is rate-limiting us (`Retry-After`); asks first')
    .option('--yes', 'do not ask (only with --now)')
    .option(...shared.rate)
    .option(...shared.concurrency)
    .option(...shared.report)
    .json('run')
    .does(async () => (await import('../commands/continue.ts')).resumeRun);

  program
    .command('retry')
    .description('Send the failures of a finished run again.')
    .argument(...shared.run)
    .option(...shared.rate)
    .option(...shared.concurrency)
    .option(...shared.report)
    .json('run')
    .does(async () => (await import('../commands/continue.ts')).retryRun);

  program
    .command('pause')
    .description('Pause a run after the calls in flight, whichever process delivers it; only `resume` continues it.')
    .argument(...shared.run)
    .json('run')
    .does(async () => (await import('../commands/continue.ts')).pauseRun);

  program
    .command('approve')
    .description(
      'Send what a guard holds of a run, or a part of it. The approval is bound to the plan you saw, and is recorded.',
    )
    .argument(...shared.run)
    .option(
      '--only <action>',
      'only those that are new, changed, again, unchanged or departed; may be repeated',
      collect,
      [],
    )
    .option('--except-group <name>', 'not those with this group; may be repeated', collect, [])
    .option(
      '--except-reason <n>',
      'nobody whom this reason holds, by its number in `show`; may be repeated',
      collect,
      [],
    )
    .option('--note <text>', 'why, for the record')
    .option('--hash <hash>', 'approve only the plan with this hash, as `show` prints it; a different plan is refused')
    .option('--yes', 'do not ask; needed without a terminal, unless you name the plan with --hash')
    .option(...shared.rate)
    .option(...shared.concurrency)
    .releaseOptions()
    .option(...shared.report)
    .json('run')
    .examples(`
  roster-sync approve latest --note "the summer interns, see HR-1204"
  roster-sync approve 3f9a12cc --yes             in a script, after you looked at the plan
  roster-sync approve 3f9a12cc --only new
  roster-sync approve 3f9a12cc --except-group Executives
  roster-sync approve 3f9a12cc --except-reason 2`)
    .does(async () => (await import('../commands/approve.ts')).approveHeldRun);

  program
    .command('cancel')
    .description('End a run: nothing more of it is sent. What was sent cannot be taken back.')
    .argument(...shared.run)
    .json('run')
    .does(async () => (await import('../commands/continue.ts')).cancelRun);
}
