/**
 * Pictures of the pages for the documentation, of made-up people against the sandbox: docs/images/page-*.png.
 *
 *   node bench/page-pictures.ts
 */
import { join } from 'node:path';
import { openBrowser } from '../test/browser/chromium.ts';
import { signedIn } from '../test/browser/signed-in.ts';
import { startApiServer } from '../test/server/api-server.ts';

const firstNames = ['Ada', 'Bo', 'Cleo', 'Dag', 'Eva', 'Finn', 'Gro', 'Hal', 'Ida', 'Jon'];
const lastNames = ['Lindqvist', 'Ødegård', 'Achterberg', 'Śliwiński', 'Weber', 'Krogh', 'Moe', 'Holm'];
const roster = (count: number): string => {
  const rows = Array.from({ length: count }, (_, at) => {
    const first = firstNames[at % firstNames.length] ?? '';
    return `${first},${lastNames[at % lastNames.length]},${first}.${at}@example.com,${at % 3 ? 'Sales' : 'IT'}`;
  });
  return ['firstname,lastname,email,groups', ...rows, 'Jane,Roe,jane@,Sales', ''].join('\n');
};

const browser = await openBrowser();
const server = await startApiServer('', { rate: 50 });
const token = await server.token('pictures', ['read', 'run', 'approve']);
const post = async (path: string, body: object) =>
  (await server.ask(`/api/v1/${path}`, { method: 'POST', token, body })).json as { run: string };
server.roster(roster(124));
const { run } = await post('runs', { source: 'staff' });
const { hash } = (await server.ask(`/api/v1/runs/${run}/plan`, { token })).json as { hash: string };
await post(`runs/${run}/approve`, { hash });
while ((await server.ask(`/api/v1/runs/${run}`, { token })).json.status !== 'finished') {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
server.roster(roster(40));
const held = await post('runs', { source: 'staff' });
const { page } = await signedIn(browser, server, { javaScriptEnabled: true });
for (const [name, path] of Object.entries({ home: '/', run: `/runs/${run}`, held: `/runs/${held.run}` })) {
  await page.goto(path);
  await page.screenshot({ path: join(import.meta.dirname, `../docs/images/page-${name}.png`) });
}
await server.close();
await browser.close();
