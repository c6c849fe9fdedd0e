// Bring a file, or paste rows; the steps of an import, and how far its planning is. Nothing is sent from here.
import { estimate, type Html } from '../core/text/format.ts';
import type { KeptUpload } from '../intake/kept-uploads.ts';
import { bar, deed, isWrong, lineByLine, lines, option, time, wrong } from './parts.ts';
import { figure, html, t, words } from './words.ts';
import { told } from './told.ts';

type OpenUpload = Pick<KeptUpload, 'id' | 'name' | 'source' | 'at' | 'planned'>;

interface ImportView {
  sources: readonly string[];
  chosen?: string;
  limitBytes: number;
  pasted?: string;
  problem?: string;
  /** Those of them that are kept in the ledger. */
  kept: readonly string[];
  uploads: readonly OpenUpload[];
}

export const importTitle = words('Import a file');

export function bringFile(view: ImportView): Html {
  return html`<h1>${t(importTitle)}</h1>
    <p class="lead">Nothing is sent before you have seen everybody and said so.</p>
    ${bringForm(view)} ${view.uploads.length > 0 && openUploads(view.uploads)}
    ${
      view.kept.length > 0 &&
      html`<h2>Kept for the next file</h2>
        <ul>
          ${view.kept.map((name) => html`<li><a href="/kept/${encodeURIComponent(name)}">${name}</a></li>`)}
        </ul>`
    }`;
}

/** What the script adds to the words about files. */
export const dropWords = (): Html =>
  html`<span data-scripted hidden> Drop it anywhere on this page, or paste rows.</span>`;

/** What the script fills in and sends when a file is dropped, or rows are pasted, on a page without a form for that. */
export function dropForm(limitBytes: number): Html {
  return html`<form
    hidden
    method="post"
    action="/import"
    enctype="multipart/form-data"
    data-drop="send"
    data-limit="${limitBytes}"
  >
    <textarea name="pasted" aria-label="Pasted rows" tabindex="-1"></textarea>
    <input type="file" name="file" aria-label="Dropped file" tabindex="-1" />
  </form>`;
}

function bringForm({ sources, chosen, limitBytes, pasted = '', problem }: Omit<ImportView, 'uploads' | 'kept'>): Html {
  const limit = figure(Math.floor(limitBytes / 1_000_000));
  return html`<form
    class="bring-box"
    method="post"
    action="/import"
    enctype="multipart/form-data"
    data-drop="${sources.length > 0 ? 'choose' : 'send'}"
    data-limit="${limitBytes}"
  >
    ${problem !== undefined && wrong(lineByLine(problem.split('\n').map(told)))}
    ${
      sources.length > 0 &&
      html`<div class="field">
        <label for="source">What is it?</label>
        <p class="small quiet">
          A list that you import often is read by its own rules. For a new one you choose what each column is.
        </p>
        <select id="source" name="source">
          <option value="">A new kind of list</option>
          ${sources.map((name) => option(name, name, name === chosen))}
        </select>
      </div>`
    }
    <details ${pasted !== '' && html` open`}>
      <summary>Paste rows instead</summary>
      <div class="field">
        <label for="pasted">Rows, with their headings in the first line</label>
        <textarea id="pasted" name="pasted" rows="8" spellcheck="false">${lines(pasted)}</textarea>
      </div>
    </details>
    <div class="field">
      <label for="file">The file</label>
      <p class="small quiet">
        CSV, Excel, JSON and more, up to ${limit} MB.${dropWords()}<span data-scripted hidden>
          It is read as soon as you choose it.</span
        >
      </p>
      <input type="file" id="file" name="file" ${problem !== undefined && isWrong} />
    </div>
    <button class="dark">Continue</button>
  </form>`;
}

function openUploads(uploads: readonly OpenUpload[]): Html {
  const lines = uploads.map(
    ({ id, name, source, at, planned }) =>
      html`<li>
        <a href="/import/${id}${planned && '/people'}">${name}</a>
        <span class="small quiet">as “${source}”, imported ${time(at)}, not sent</span>
      </li>`,
  );
  return html`<section>
    <h2>Not sent yet</h2>
    <ul>
      ${lines}
    </ul>
    <p class="small quiet">What you leave is removed after 7 days.</p>
  </section>`;
}

const steps = { file: words('File'), check: words('Check'), people: words('People'), sent: words('Sent') };

/** Where an import is; steps that are done lead back to themselves. */
export function stepper(now: keyof typeof steps, upload: string): Html {
  const paths: Partial<Record<string, string>> = { file: '/import', check: `/import/${upload}` };
  const at = Object.keys(steps).indexOf(now);
  const items = Object.entries(steps).map(([step, word], index) => {
    const said = t(word);
    if (index < at) {
      return html`<li class="done">
        <a href="${paths[step]}"><span aria-hidden="true">✓</span><b>${said}</b><span class="hidden">, done</span></a>
      </li>`;
    }
    return html`<li ${index === at && html` aria-current="step" class="now"`}>
      <span aria-hidden="true">${index + 1}</span><b>${said}</b>
    </li>`;
  });
  return html`<ol class="steps" aria-label="Steps of this import">
    ${items}
  </ol>`;
}

export const planningTitle = words('Reading everybody');

interface PlanningView {
  /** The address of the upload. */
  path: string;
  source: string;
  /** Rows that have been read, of the file. */
  done: number;
  rows: number;
  takenMs: number;
}

export function planningPage({ path, source, done, rows, takenMs }: PlanningView): Html {
  const leftMs = done > 0 ? (takenMs / done) * (rows - done) : undefined;
  const isReading = done < rows || rows === 0;
  const how = t(
    isReading ? '{done} of # rows read.' : 'All # rows read. Comparing them with what was sent before.',
    rows,
    { done: figure(done) },
  );
  const left = isReading && leftMs !== undefined ? [t('About {time} left.', 1, { time: estimate(leftMs) })] : [];
  return html`${stepper('people', path.split('/').at(-1) ?? '')}
    <h1>${t(planningTitle)}</h1>
    <p class="lead" role="status">${source}: ${[how, ...left].join(' ')} Nothing is sent.</p>
    ${bar([
      { tone: 'live', value: done, words: t('read') },
      { tone: 'mute', value: rows - done, words: t('to go') },
    ])}
    ${deed(`${path}/planning/cancel`, t('Cancel'))}`;
}
