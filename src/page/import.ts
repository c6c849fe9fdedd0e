// Bring a file: which source it is, and the file. Nothing is sent from this page.
import { html, type Html } from '../core/text/html.ts';
import { figure } from '../core/text/figures.ts';

/** What the page needs to know. */
export interface ImportView {
  /** The sources of the config, in their order. */
  sources: readonly string[];
  /** The source that is chosen already. */
  chosen?: string;
  /** The most bytes of a file. */
  limitBytes: number;
  /** Why the last try did not work. */
  problem?: string;
}

/** The body of the page. */
export function bringFile({ sources, chosen, limitBytes, problem }: ImportView): Html {
  if (sources.length === 0) {
    return html`<h1>Bring a file</h1>
      <p>
        The config has no source yet, so nobody has said what the columns of a file mean. Write one once, at a terminal:
        <code>roster-sync init people.csv</code>. Then files of that kind can be brought here.
      </p>`;
  }
  const options = sources.map(
    (name) => html`<option value="${name}" ${name === chosen && html` selected`}>${name}</option>`,
  );
  const limit = figure(Math.floor(limitBytes / 1_000_000));
  return html`<h1>Bring a file</h1>
    <p class="lead">CSV, Excel, JSON and more, up to ${limit} MB. You see everybody before anybody is sent.</p>
    <form method="post" action="/import" enctype="multipart/form-data">
      ${problem !== undefined && html`<p class="wrong" role="alert" id="wrong">${problem}</p>`}
      <div class="field">
        <label for="source">What is it?</label>
        <p class="small quiet">The source whose rules read it.</p>
        <select id="source" name="source">
          ${options}
        </select>
      </div>
      <div class="field">
        <label for="file">The file</label
        ><input
          type="file"
          id="file"
          name="file"
          required${problem !== undefined && html` aria-invalid="true" aria-describedby="wrong"`}
        />
      </div>
      <button class="dark">Read it, and show me everybody</button>
      <p class="small quiet">Nothing is sent before you say so.</p>
    </form>`;
}
