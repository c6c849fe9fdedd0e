/**
 * Loaded before a program that calls a service with undici (`--import`): tells, as JSON on file descriptor 3 when the
 * process ends, when it made its first call and got its last answer, and the processor time spent until then. It
 * listens to undici's diagnostics channels, so that the program needs no code of its own for it.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Times in ms since the process started; processor times in ms, all threads, user and system. */
export interface Metered {
  calls: number;
  firstCallAt: number;
  lastAnswerAt: number;
  endAt: number;
  cpuAtFirstCall: number;
  cpuAtLastAnswer: number;
  cpuAtEnd: number;
}

const metered: Metered = {
  calls: 0,
  firstCallAt: 0,
  lastAnswerAt: 0,
  endAt: 0,
  cpuAtFirstCall: 0,
  cpuAtLastAnswer: 0,
  cpuAtEnd: 0,
};

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

subscribe('undici:client:sendHeaders', () => {
  if (metered.calls === 0) {
    metered.firstCallAt = performance.now();
    metered.cpuAtFirstCall = cpu();
  }
  metered.calls += 1;
});
subscribe('undici:request:trailers', () => {
  metered.lastAnswerAt = performance.now();
  metered.cpuAtLastAnswer = cpu();
});
// Worker threads load it too.
if (isMainThread) {
  process.on('exit', () => {
    metered.endAt = performance.now();
    metered.cpuAtEnd = cpu();
    writeSync(3, JSON.stringify(metered));
  });
}
