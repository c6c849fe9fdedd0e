import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc per ms. */
const ticks = Number(execFileSync('getconf', ['CLK_TCK'])) / 1000;

interface Stat {
  parent: number;
  /** User and system time in ms: of the process, and of its children that have ended. */
  own: number;
  ended: number;
}

function statOf(path: string): Stat | undefined {
  try {
    // Its second field is a name in parentheses, which may hold anything.
    const fields = readFileSync(`/proc/${path}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
    return { parent, own: (user + system) / ticks, ended: (endedUser + endedSystem) / ticks };
  } catch {
    return undefined;
  }
}

/** Processor time, ms, that a process and all that it has started have used so far (Linux). */
export function processorTime(pid: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = statOf(name);
      return stat ? [{ pid: Number(name), ...stat }] : [];
    });
  const sum = (root: number): number => {
    const stat = all.find((one) => one.pid === root);
    if (stat === undefined) return 0;
    return all.filter((one) => one.parent === root).reduce((total, one) => total + sum(one.pid), stat.own + stat.ended);
  };
  return sum(pid);
}

/** Processor time, ms, that the main thread of a process has used so far: with cores enough, what limits a Node process (Linux). */
export function mainThreadTime(pid: number): number {
  return statOf(`${pid}/task/${pid}`)?.own ?? Number.NaN;
}
