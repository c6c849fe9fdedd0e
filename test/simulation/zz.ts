const { openSimulation } = await import('./simulation.ts');
const { storyOf } = await import('./story.ts');
const s = await openSimulation();
const e = await s.play(storyOf(Number(process.argv[2])));
console.log(e.trace.filter(x=>!/corp\.example/.test(x)).join('\n')); console.log(e.violations);
await s.close();
