// Declares the commands that stay running, and who may use them: worker, serve, open, token, user, sandbox.
import { collect, type RosterCommand, shared } from './roster-command.ts';

export function addServerCommands(program: RosterCommand): void {
  program
    .command('worker')
    .description('Deliver what is due until you stop it. Run any number, on any machines. Needs Redis and PostgreSQL.')
    .option(...shared.concurrency)
    .option('--host <host>', 'with --port: the address to listen on', '127.0.0.1')
    .option('--port <port>', 'answer /healthz, /readyz and /metrics on this port (default: on none)')
    .examples(`
  REDIS_URL=redis://queue DATABASE_URL=postgres://ledger/roster roster-sync worker --concurrency 20
  roster-sync worker --host 0.0.0.0 --port 9464`)
    .does(async () => (await import('../commands/serve.ts')).runWorker);

  program
    .command('serve')
    .description(
      'Read sources on their schedules, deliver what is due, take webhooks and SCIM, and answer on HTTP: the pages (/), the API (/api/v1), /metrics, /healthz and /readyz.',
    )
    .option('--host <host>', 'the address to listen on', '127.0.0.1')
    .option('--port <port>', 'the port to listen on; 0 is any free port', '8080')
    .option('--no-worker', 'answer only; workers elsewhere deliver')
    .examples(`
  roster-sync serve
  roster-sync serve --host 0.0.0.0 --port 8080 --no-worker`)
    .does(async () => (await import('../commands/serve.ts')).serve);

  program
    .command('open')
    .description('Open the pages in your browser, signed in. Starts the server if none runs here.')
    .option('--port <port>', 'the port to listen on; 0 is any free port', '0')
    .option('--no-browser', 'only print the link')
    .examples(`
  roster-sync open
  roster-sync open --no-browser`)
    .does(async () => (await import('../commands/serve.ts')).open);

  const token = program.command('token').description('Create, list and revoke the tokens of the API of `serve`.');

  token
    .command('create')
    .description('Create a token. It is printed only once.')
    .requiredOption('--name <name>', 'whose it is; the audit names it')
    .option('--scope <scopes>', 'read, run and approve, with commas between; or scim:SOURCE', 'read')
    .option('--expires <time>', 'how long it is valid, such as 90d (default: until you revoke it)')
    .json('token-created')
    .examples(`
  roster-sync token create --name nightly-ci --scope read,run --expires 90d
  roster-sync token create --name dashboard`)
    .does(async () => (await import('../commands/access.ts')).createToken);

  token
    .command('list')
    .description('List the tokens, what they may do, and when they were last used.')
    .json('tokens')
    .does(async () => (await import('../commands/access.ts')).listTokens);

  token
    .command('revoke')
    .description('Revoke a token: it stops working at once.')
    .argument('<name>', 'as `token list` shows it')
    .json('token-revoked')
    .does(async () => (await import('../commands/access.ts')).revokeToken);

  addUserCommands(program);

  program
    .command('sandbox')
    .description('Start a stand-in for the service on this machine.')
    .option('--port <port>', 'the port to listen on (default: any free port)')
    .option('--token <token>', 'the Base64 token that it requires')
    .option('--seed <number>', 'the seed of everything random')
    .option('--stories <n>', 'the number of made-up stories')
    .option('--users <n>', 'the number of made-up users, who answer them')
    .option('--fault <fault>', 'what goes wrong, see below; may be repeated', collect, [])
    .option(
      '--assume <question=answer>',
      'another choice where the interface says nothing; may be repeated',
      collect,
      [],
    )
    .examples(`
  roster-sync sandbox --port 4100
  roster-sync sandbox --stories 200 --users 100000
  roster-sync sandbox --fault latency=200 --fault status=429,retry-after=2,every=50

docs/sandbox.md tells every fault and every assumption.`)
    .does(async () => (await import('../commands/sandbox.ts')).runSandbox);
}

function addUserCommands(program: RosterCommand): void {
  const user = program
    .command('user')
    .description('Add, list, change and remove the accounts of people for the pages.');

  user
    .command('add')
    .description('Add an account. Asks for the password; without a terminal, reads it from standard input.')
    .argument('<name>', 'the name to sign in with; the audit names it')
    .requiredOption('--role <role>', 'viewer, operator or approver; see docs/pages.md')
    .json('user')
    .examples(`
  roster-sync user add "Mette Krogh" --role approver
  roster-sync user add jonas --role viewer < password.txt`)
    .does(async () => (await import('../commands/access.ts')).addUser);

  user
    .command('list')
    .description('List the accounts, their roles, and when they last signed in.')
    .json('users')
    .does(async () => (await import('../commands/access.ts')).listUsers);

  user
    .command('password')
    .description('Set a new password, and end every session of the account.')
    .argument('<name>', 'as `user list` shows it')
    .json('user')
    .does(async () => (await import('../commands/access.ts')).setPassword);

  user
    .command('role')
    .description('Change what an account may do, at once.')
    .argument('<name>', 'as `user list` shows it')
    .argument('<role>', 'viewer, operator or approver')
    .json('user')
    .does(async () => (await import('../commands/access.ts')).setRole);

  user
    .command('sign-out')
    .description('End every session of somebody: of an account, a link, or a sign-in service.')
    .argument('<name>', 'as `user list` or the audit shows it')
    .json('user')
    .does(async () => (await import('../commands/access.ts')).signOutUser);

  user
    .command('remove')
    .description('Remove an account, and end every session of it.')
    .argument('<name>', 'as `user list` shows it')
    .json('user')
    .does(async () => (await import('../commands/access.ts')).removeUser);
}
