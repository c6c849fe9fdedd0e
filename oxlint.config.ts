import { defineConfig, type OxlintOverride } from 'oxlint';

const ours = [
  'acts',
  'shapes',
  'cli',
  'core',
  'data',
  'http',
  'intake',
  'ledger',
  'library',
  'notify',
  'page',
  'process',
  'queue',
  'report',
  'roster',
  'sandbox',
  'server',
  'service',
  'wiring',
] as const;
type Part = (typeof ours)[number] | 'index' | 'jobs' | 'config';
const parts: Part[] = [...ours, 'index', 'jobs', 'config'];

/** Who may import what of ours: `values` at run time, `types` as `import type` only. What is not named here may import all. */
const directions: Partial<Record<Part, { files: string[]; values?: Part[]; types?: Part[] }>> = {
  data: { files: ['src/data/**'] },
  // What is data is constant: to read it is as pure as to import it.
  core: { files: ['src/core/**'], values: ['data'] },
  http: { files: ['src/http/**'], values: ['core'] },
  service: { files: ['src/service/**'], values: ['core', 'http'], types: ['process'] },
  notify: { files: ['src/notify/**'], values: ['core', 'http', 'report'], types: ['process'] },
  roster: { files: ['src/roster/**'], values: ['core', 'data', 'http', 'process'], types: ['config'] },
  ledger: { files: ['src/ledger/**'], values: ['core', 'process'], types: ['shapes'] },
  queue: { files: ['src/queue/**'], values: ['core', 'process'] },
  sandbox: { files: ['src/sandbox/**'], values: ['core'], types: ['process'] },
  report: { files: ['src/report/**'], values: ['core', 'shapes'], types: ['wiring', 'ledger', 'roster'] },
  page: { files: ['src/page/**'], values: ['core', 'report', 'shapes'], types: ['ledger', 'intake'] },
  config: { files: ['config/**'], values: ['core', 'data', 'roster'] },
  process: { files: ['src/process/**'], values: ['core'] },
  jobs: {
    files: ['jobs/**'],
    values: ['core', 'process', 'roster'],
    types: ['wiring', 'ledger', 'notify', 'queue', 'service', 'shapes', 'config'],
  },
  wiring: {
    files: ['src/wiring/**'],
    values: ['core', 'data', 'ledger', 'notify', 'queue', 'roster', 'service', 'process', 'config'],
    types: ['jobs'],
  },
  intake: {
    files: ['src/intake/**'],
    values: ['core', 'roster', 'config', 'jobs', 'wiring'],
    types: ['ledger'],
  },
  acts: {
    files: ['src/acts/**'],
    values: ['core', 'data', 'page', 'report', 'service', 'shapes', 'config', 'jobs', 'intake', 'wiring'],
    types: ['ledger'],
  },
  shapes: { files: ['src/acts/shapes/**'], values: ['core', 'data'] },
  server: {
    files: ['src/server/**'],
    values: parts.filter((part) => part !== 'cli' && part !== 'sandbox' && part !== 'library'),
  },
};

/** Each third-party library has one home, so that replacing it touches one folder. */
const homes: Record<string, Part[]> = {
  '@fastify/helmet': ['server'],
  '@fastify/multipart': ['server'],
  '@fastify/rate-limit': ['server'],
  '@fastify/swagger': ['server'],
  'prom-client': ['process', 'server'],
  '@electric-sql/pglite': ['ledger'],
  bullmq: ['queue'],
  'cli-progress': ['cli', 'report'],
  commander: ['cli'],
  'cron-parser': ['config', 'core'],
  fastify: ['server'],
  htmlparser2: ['roster'],
  ioredis: ['queue'],
  kysely: ['ledger'],
  ldapts: ['roster'],
  'libphonenumber-js': ['core'],
  papaparse: ['roster', 'report'],
  'openid-client': ['server'],
  pg: ['ledger', 'roster'],
  pino: ['process'],
  re2js: ['config', 'core'],
  nodemailer: ['notify'],
  'p-limit': ['roster'],
  'ssh2-sftp-client': ['roster'],
  saxes: ['roster'],
  standardwebhooks: ['notify', 'server'],
  undici: ['cli', 'http', 'service', 'roster'],
  yaml: ['config', 'data'],
  yauzl: ['roster'],
};

/** Matches a relative import that leaves its folder for the given part. */
function specifierOf(part: Part): string {
  if (part === 'acts') return '^\\.\\.?/(\\.\\./)*(src/)?acts/[^/]+$';
  if (part === 'shapes') return '^\\.\\.?/(\\.\\./)*(src/)?acts/shapes/';
  return part === 'index' ? `^\\.\\.?/(\\.\\./)*(src/)?${part}\\.[tj]s$` : `^\\.\\.?/(\\.\\./)*(src/)?${part}/`;
}

function restrictImports(part: Part, files: string[], values: Part[], types: Part[]): OxlintOverride {
  const closed = parts.filter((other) => other !== part && !values.includes(other));
  const patterns = closed.map((other) => ({
    regex: specifierOf(other),
    allowTypeImports: types.includes(other),
    message: `${part} must not import ${other}${types.includes(other) ? ' except as a type' : ''} (docs/development/architecture.md).`,
  }));
  const foreign = Object.keys(homes).filter((name) => !homes[name]?.includes(part));
  const libraries = {
    regex: `^(${foreign.join('|')})(/|$)`,
    allowTypeImports: part !== 'core',
    message: `${part} is not the home of this library (oxlint.config.ts, "homes").`,
  };
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [...patterns, libraries] }] } };
}

const importRules = parts.map((part) => {
  const rule = directions[part];
  return rule
    ? restrictImports(part, rule.files, rule.values ?? [], rule.types ?? [])
    : restrictImports(part, [`src/${part}/**`, `src/${part}.ts`], parts, []);
});

/** Doing things at import or call time that a pure function cannot: the clock, chance, the process. */
const impure = [
  { object: 'Date', property: 'now', message: 'core is pure: take the time as a parameter.' },
  { object: 'Math', property: 'random', message: 'core is pure: take the chance as a parameter.' },
  { object: 'performance', property: 'now', message: 'core is pure: take the time as a parameter.' },
  { object: 'crypto', property: 'randomUUID', message: 'core is pure: take ids as parameters.' },
];
const environment = {
  object: 'process',
  property: 'env',
  message: 'Only config/load.ts reads the environment: take the setting as a parameter.',
};
const streams = ['stdout', 'stderr'].map((property) => ({
  object: 'process',
  property,
  message: 'Only src/cli and src/process/logger.ts write to the terminal: return the value, or take a stream.',
}));

export default defineConfig({
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  // What those import is installed for their bench alone.
  ignorePatterns: ['dist', 'bench/peers/*.mjs'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'no-console': 'error',
    'no-restricted-properties': ['error', environment, ...streams],
    'typescript/ban-ts-comment': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': [
      'error',
      {
        allowForKnownSafeCalls: [{ from: 'package', package: 'node:test', name: ['test', 'it', 'describe', 'suite'] }],
      },
    ],
    'typescript/no-misused-promises': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-misused-spread': 'off',
    // An assertion is at least visible; what comes from outside is parsed with zod.
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/unbound-method': 'off',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/no-process-exit': 'error',
    'unicorn/require-post-message-target-origin': 'off',
    // The compiler's noImplicitReturns says the same, and knows exhaustive switches.
    'consistent-return': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-unmodified-loop-condition': 'off',
    'unicorn/no-useless-spread': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  overrides: [
    ...importRules,
    {
      files: ['src/core/**'],
      rules: {
        'import/no-nodejs-modules': [
          'error',
          { allow: ['node:crypto', 'node:module', 'node:net', 'node:url', 'node:util'] },
        ],
        'no-restricted-globals': ['error', 'process', 'fetch', 'setTimeout', 'setInterval', 'setImmediate'],
        'no-restricted-properties': ['error', environment, ...streams, ...impure],
      },
    },
    // Fastify waits for handlers; the rule is about Express.
    { files: ['src/server/**'], rules: { 'oxc/no-async-endpoint-handlers': 'off' } },
    {
      // Served to browsers as it is: the type checker does not know its document.
      files: ['src/page/page.js'],
      rules: {
        'typescript/no-floating-promises': 'off',
        'typescript/no-misused-promises': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/no-useless-default-assignment': 'off',
        'unicorn/prefer-add-event-listener': 'off',
      },
    },
    { files: ['config/load.ts'], rules: { 'no-restricted-properties': ['error', ...streams] } },
    { files: ['src/process/logger.ts'], rules: { 'no-restricted-properties': ['error', environment] } },
    {
      files: ['src/cli/**'],
      rules: { 'no-restricted-properties': ['error', environment], 'unicorn/no-process-exit': 'off' },
    },
    {
      files: ['test/**', 'bench/**', 'examples/**', 'bin/**', 'config/generate.ts', 'docs/**', '*.config.ts'],
      rules: {
        'import/no-default-export': 'off',
        'no-console': 'off',
        'no-restricted-properties': 'off',
        'unicorn/no-process-exit': 'off',
        'typescript/no-unsafe-argument': 'off',
        'typescript/restrict-template-expressions': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
      },
    },
  ],
});
