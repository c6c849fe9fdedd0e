// The settings in force, where each comes from, and whether what is needed is there.
import { html, type Html } from '../core/text/html.ts';
import { deed, pill, table, type Tone } from './parts.ts';

interface ShownSetting {
  name: string;
  value: string | undefined;
  from: string;
}

export interface ShownCheck {
  what: string;
  state: 'ok' | 'remark' | 'problem';
  text: string;
}

export interface SettingsView {
  file?: string;
  settings: readonly ShownSetting[];
  checks: readonly ShownCheck[];
  /** Whether the viewer may have the service asked. */
  mayAsk: boolean;
  /** Whether there are checks that may take some seconds. */
  hasMore: boolean;
}

const states: Record<ShownCheck['state'], [string, Tone]> = {
  ok: ['Good', 'ok'],
  remark: ['Look', 'warn'],
  problem: ['Problem', 'bad'],
};

/** What is not set and has no default is left out. */
export function settingsPage({ file, settings, checks, mayAsk, hasMore }: SettingsView): Html {
  const problems = checks.filter(({ state }) => state === 'problem').length;
  const found = checks.map(
    ({ what, state, text }) =>
      html`<tr>
        <th scope="row">${what}</th>
        <td>${pill(...states[state])}</td>
        <td>${text}</td>
      </tr>`,
  );
  const set = settings.filter(({ value }) => value !== undefined);
  const row = ({ name, value, from }: ShownSetting): Html =>
    html`<tr>
      <th scope="row" class="whole">${name}</th>
      <td>${value}</td>
      <td class="quiet whole">${from}</td>
    </tr>`;
  const own = set.filter(({ from }) => from !== 'default').map(row);
  const others = set.filter(({ from }) => from === 'default').map(row);
  const headings = ['Setting', 'Value', 'From'];
  return html`<h1>
      ${problems === 0 ? 'Everything that was checked is good' : problems === 1 ? 'One thing needs you' : `${problems} things need you`}
    </h1>
    <p class="lead">
      ${file === undefined ? 'There is no config file here.' : `The config file is ${file}.`} Settings are changed there
      and in the environment, not on this page.
    </p>
    <h2>Checks</h2>
    ${table('Checks', ['What', 'Is', 'Found'], found)}
    ${mayAsk && html`<div class="row field">${deed('/settings/ask', 'Ask the service, too')}<span class="small quiet">One harmless question, no person.</span></div>`}
    ${mayAsk && hasMore && html`<div class="row field">${deed('/settings/check', 'Check backup, tables and PGP keys')}<span class="small quiet">Reads all of them; may take some seconds.</span></div>`}
    <h2>What you have set</h2>
    ${own.length === 0 ? html`<p>Nothing: every setting has its default.</p>` : table('What you have set', headings, own)}
    <h2>Defaults</h2>
    ${table('Defaults', headings, others)}`;
}
