// A source that is kept in the ledger, to be edited as YAML.
import { html, type Html } from '../core/text/html.ts';
import { lines } from './lines.ts';
import { deed, time } from './parts.ts';

export interface KeptSourceView {
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
            ${problems.length > 0 && html`<div class="problems" role="alert" id="wrong">${problems.map((each) => html`<p>${each}</p>`)}</div>`}
            <div class="field wide-field">
              <label for="block">Its settings, as YAML</label>
              <p class="small quiet">The same settings as a source of the config, without the place of its files.</p>
              <textarea
                id="block"
                name="block"
                rows="18"
                spellcheck="false"
                ${problems.length > 0 && html` aria-invalid="true" aria-describedby="wrong"`}
              >
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
