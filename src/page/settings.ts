// The settings in force, where each comes from, whether what is needed is there; and a kept source to edit.
import type { z } from 'zod';
import type { ConfigDocument, DoctorDocument } from '../acts/shapes/upkeep.ts';
import { html, type Html } from '../core/text/format.ts';
import { deed, hidden, isWrong, lines, pill, row, table, time, type Tone } from './parts.ts';

type ShownSetting = z.output<typeof ConfigDocument>['settings'][number];
type ShownCheck = Pick<z.output<typeof DoctorDocument>['findings'][number], 'what' | 'state' | 'text'>;

interface SettingsView {
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
  const found = checks.map(({ what, state, text }) => row(what, pill(...states[state]), text));
  const set = settings.filter(({ value }) => value !== undefined);
  const ofSetting = ({ name, value, from }: ShownSetting): Html =>
    row(html`<span class="whole">${name}</span>`, value, { 'quiet whole': from });
  const own = set.filter(({ from }) => from !== 'default').map(ofSetting);
  const others = set.filter(({ from }) => from === 'default').map(ofSetting);
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

interface KeptSourceView {
  name: string;
  /** As it is kept, or as somebody typed it. */
  block: string;
  by: string;
  /** ISO 8601. */
  at: string;
  /** The same as the lines of a config. */
  exported: string;
  /** The config has one of this name, which wins. */
  isOverruled: boolean;
  mayRun: boolean;
  problems: readonly string[];
}

export function keptSource({ name, block, by, at, exported, isOverruled, mayRun, problems }: KeptSourceView): Html {
  const path = `/kept/${encodeURIComponent(name)}`;
  return html`<h1>${name}</h1>
    <p class="lead">Kept in the ledger by ${by}, ${time(at)}. It says how files of this kind are read.</p>
    ${
      isOverruled &&
      html`<div class="note">
        <p><b>It is not used.</b> The config has a source of this name, which wins.</p>
      </div>`
    }
    ${
      mayRun
        ? html`<form method="post" action="${path}">
            ${hidden({ shown: at })}
            ${problems.length > 0 && html`<div class="problems" role="alert" id="wrong">${problems.map((each) => html`<p>${each}</p>`)}</div>`}
            <div class="field wide-field">
              <label for="block">Its settings, as YAML</label>
              <p class="small quiet">The same settings as a source of the config, without the place of its files.</p>
              <textarea id="block" name="block" rows="18" spellcheck="false" ${problems.length > 0 && isWrong}>
${lines(block)}</textarea>
            </div>
            <button class="dark">Save</button>
          </form>`
        : html`<pre>${lines(block)}</pre>`
    }
    <section>
      <h2>For a config file</h2>
      <pre tabindex="0" aria-label="The source as YAML">${lines(exported)}</pre>
    </section>
    ${
      mayRun &&
      html`<section>
        <h2>Remove it</h2>
        <p class="small quiet">What was sent stays.</p>
        ${deed(`${path}/remove`, `Remove ${name}`, 'danger')}
      </section>`
    }`;
}
