import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, sep } from 'node:path';

/** Tests that take long, need programs, or do not say by failing which part is wrong. */
const left =
  /\.long\.|^test\/(?:at-once|browser|cli|faults|hostile|house|jobs|library|mutation|real-data|rules|sandbox|server\/(?!scim|hooks)|simulation)/;

/** What starts a ledger or a server says too little about the parts of `core` for its price; nothing else asks of those of SCIM. */
const dear = (test: string, part: string, room: string): boolean =>
  part === 'core' && room !== 'scim' && /^test\/(?:contract|server|config\/find-file)/.test(test);

const slashed = (path: string): string => path.replaceAll(sep, '/');

/** How many of the tests that import a file are asked, the nearest first; the first one notices most changes. */
export const most = { near: 10, nearElsewhere: 20 };

/** Knows how many imports lie between each test and each file of the product. */
export class Nearest {
  /** By file: who imports it. */
  readonly #importers = new Map<string, string[]>();
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
    for (const file of globSync('{src,jobs,config,test}/**/*.ts', { cwd: root })) {
      const text = readFileSync(join(root, file), 'utf8').replaceAll(/^(?:im|ex)port type [^;]*;/gm, '');
      for (const [, path = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g)) {
        const to = normalize(join(dirname(file), path));
        this.#importers.set(to, [...(this.#importers.get(to) ?? []), file]);
      }
    }
  }

  /** The tests of a file, the nearest first; of those equally near, those of its own part. */
  testsOf(file: string): string[] {
    const distances = new Map([[file, 0]]);
    for (const [one, distance] of distances) {
      for (const importer of this.#importers.get(one) ?? [])
        if (!distances.has(importer)) distances.set(importer, distance + 1);
    }
    const [, part = '', room = ''] = file.split('/');
    // What has the name of its room is meant for it; what asks a ledger or a server has more in its way.
    const order = (test: string): number =>
      (distances.get(test) ?? 0) +
      (test.startsWith(`test/${part}/`) || (part === 'ledger' && test.startsWith('test/contract/ledger-'))
        ? 0
        : part === 'core'
          ? 20
          : 2) -
      (test.includes(`/${room}/`) ? 12 : 0) -
      // Every test of the ledger imports all of it.
      (part === 'ledger' ? Math.min(30, this.#mentions(test, file)) : 0);
    return [...distances.keys()]
      .filter((test) => test.endsWith('.test.ts') && !left.test(test) && !dear(test, part, room))
      .toSorted((one, other) => order(one) - order(other) || (one < other ? -1 : 1));
  }

  /**
   * The tests that a change of a file, or of a folder's files, needs: the nearest of each. Of a part whose tests say too little
   * about a mutant for their price (commands, the server), all quick ones of its folder too.
   */
  near(path: string): string[] {
    const files = globSync(path.endsWith('.ts') ? path : `${path}/**/*.ts`, { cwd: this.#root }).map(slashed);
    const found = files.flatMap((file) =>
      file.endsWith('.test.ts')
        ? [file]
        : this.testsOf(file).slice(0, file.startsWith('src/core/') ? most.near : most.nearElsewhere),
    );
    const [top = '', room = ''] = path.split('/');
    const own = `test/${top === 'src' ? room : top}/`;
    if (files.length > 0 && top !== 'test' && !found.some((test) => test.startsWith(own))) {
      const all = globSync(`${own}**/*.test.ts`, { cwd: this.#root }).map(slashed);
      const quick = all.filter((test) => !/\.(?:long|more)\./.test(test));
      found.push(...(quick.length > 0 ? quick : all));
    }
    return [...new Set(found)];
  }

  /** Whether a test imports a file itself: what runs when a file is loaded runs in every test of anything. */
  isDirect(test: string, file: string): boolean {
    return this.#importers.get(file)?.includes(test) ?? false;
  }

  /** How often a test has the names that a file exports, or the beginning of the file's own. */
  #mentions(test: string, file: string): number {
    const names = readFileSync(join(this.#root, file), 'utf8').matchAll(/^export (?:async function|const) (\w+)/gm);
    const stem = basename(file, '.ts').replaceAll('-', '').slice(0, 6);
    const pattern = new RegExp([stem, ...Array.from(names, ([, name = '']) => name)].join('|'), 'gi');
    return readFileSync(join(this.#root, test), 'utf8').match(pattern)?.length ?? 0;
  }
}
