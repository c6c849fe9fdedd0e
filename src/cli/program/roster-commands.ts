// Declares the commands that read a roster: import, sync, plan, inspect, init, resolve.
import { type RosterCommand, shared } from './roster-command.ts';

export function addRosterCommands(program: RosterCommand): void {
  program
    .command('import')
    .description('Read a roster, show what would be sent, ask, send, report.')
    .argument('<file>', 'CSV, Excel or JSON, also packed; a folder or zip of files; or - for standard input')
    .option('--source <name>', 'the name of this roster (default: the name of the file)')
    .fileOptions()
    .deliverySwitches()
    .peopleOptions()
    .invitationBound()
    .option('--baseline', 'record everybody as already given these groups; send nothing')
    .option('--dry-run', 'plan only: nothing is sent or kept, and no service is needed')
    .option('--yes', 'do not ask; what a guard holds stays held, and so does a roster that needs a decision')
    .releaseOptions()
    .option(...shared.planReport)
    .planPeopleOptions('--report of a dry run')
    .json('run')
    .examples(`
  roster-sync import people.csv --group "New starters" --group-column Department --dry-run
  roster-sync import people.csv --map email="E-mail (work)" --group-column Team --yes --max-invitations 20 --json
  roster-sync import people.csv --group Staff --only-active --yes --max-invitations 20      in a script
  roster-sync import people.csv --group Staff --only ann@example.com`)
    .does(async () => (await import('../commands/import.ts')).importRoster);

  program
    .command('sync')
    .description('Read a source named in the config, show what would be sent, ask, send, report.')
    .argument('<source>', 'its name under sources:')
    .groupMatrix()
    .option(...shared.rate)
    .peopleOptions()
    .invitationBound()
    .option('--dry-run', 'plan only: nothing is sent or kept, and no service is needed')
    .option('--yes', 'do not ask; what a guard holds stays held, and so does a roster that needs a decision')
    .releaseOptions()
    .option(...shared.planReport)
    .planPeopleOptions('--report of a dry run')
    .json('run')
    .examples(`
  roster-sync sync staff --dry-run
  roster-sync sync staff --yes --max-invitations 20 --json

docs/connectors.md describes every source; \`roster-sync init FILE\` writes one.`)
    .does(async () => (await import('../commands/sync.ts')).syncSource);

  program
    .command('plan')
    .description('Show what import or sync would send, and why: counts, groups, samples. Nothing is sent or kept.')
    .argument('<file|source>', 'a file, - for standard input, or the name of a source in the config')
    .option('--source <name>', 'the name of the roster in a file (default: the name of the file)')
    .fileOptions()
    .deliverySwitches()
    .peopleOptions()
    .invitationBound()
    .option(
      '-o, --output <file>',
      'write who would get what, and why, to FILE: .csv, .xlsx, .json, or .html for a page',
    )
    .planPeopleOptions('FILE')
    .json('plan')
    .examples(`
  roster-sync plan staff                         a source of the config
  roster-sync plan people.csv --group-column Team -o plan.json
  roster-sync plan staff --kind new,departed -o plan.xlsx

The exit code is 3 if a guard would hold something.`)
    .does(async () => (await import('../commands/sync.ts')).planRosterOf);

  program
    .command('inspect')
    .description('Show how a roster is read: columns, fields, groups, rejects, and a config block. Sends nothing.')
    .argument('<file|source>', 'a file, - for standard input, or the name of a source in the config')
    .fileOptions()
    .json('inspect')
    .examples(`
  roster-sync inspect people.csv
  roster-sync inspect staff --verbose            a source of the config, with every group and reason`)
    .does(async () => (await import('../commands/inspect.ts')).inspectRoster);

  program
    .command('init')
    .description('Write a config, with a source proposed from a file. Never overwrites one.')
    .argument('[file]', 'a roster')
    .fileOptions()
    .json('init')
    .examples(`
  roster-sync init people.csv                    writes roster-sync.yaml with a source called people
  roster-sync init exports                       the same for a folder with a file for each day
  roster-sync init --config staging.yaml`)
    .does(async () => (await import('../commands/config.ts')).initConfig);

  program
    .command('resolve')
    .description('Say who is who when addresses changed, or now belong to another person.')
    .argument('[old]', 'the known address, or @ and the old domain for everybody there')
    .argument('[new]', 'the address in the roster, or @ and the new domain; the same one if another person has it now')
    .option('--file <file>', 'two columns in a CSV file instead: old and new addresses')
    .option('--run <run>', 'everybody who waits in this run because their address changed')
    .option(
      '--renamed-there',
      'the service has the same account under the new address, or the same person has a new id',
    )
    .option('--new-account', 'the new address is a new account; the old account stays as it is')
    .option('--yes', 'do not ask; you are asked about a domain, a file or a run')
    .json('resolve')
    .examples(`
  roster-sync resolve ann.ek@example.com ann.lind@example.com --renamed-there
  roster-sync resolve info@example.com info@example.com --new-account
  roster-sync resolve @old.example @new.example --renamed-there
  roster-sync resolve --file moves.csv --renamed-there
  roster-sync resolve --run latest --new-account`)
    .does(async () => (await import('../commands/resolve.ts')).resolveAddresses);
}
