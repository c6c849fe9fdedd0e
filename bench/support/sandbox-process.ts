/** A sandbox in a process of its own, as the service is: tells its parent where it is. Answers `calls` with their number. */
import { startSandbox } from '../../src/sandbox/index.ts';

const latency = Number(process.argv[2] ?? 0);
const sandbox = await startSandbox({ record: 'totals', faults: latency > 0 ? [`latency=${latency}`] : [] });
process.on('message', () => process.send?.({ calls: sandbox.stats().calls }));
process.on('disconnect', () => void sandbox.close());
process.send?.({ url: sandbox.url, token: sandbox.token });
