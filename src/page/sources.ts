// The sources, and a kept one to edit; the settings in force, and whether what is needed is there.
import type { Html, HtmlPart } from '../core/text/format.ts';
import { sentence, sentences } from '../core/words/say.ts';
import type { LatestEvent } from '../ledger/events/events.ts';
import type { Viewer } from './layout.ts';
import { parseJson } from '../core/attempt.ts';
import { deed, hidden, isWrong, lines, list, localMoments, pill, row, table, time, type Tone } from './parts.ts';
import type { z } from 'zod';
import type { ConfigDocument, DoctorDocument } from '../acts/shapes/upkeep.ts';
import { count, figure, html, t, words } from './words.ts';
import { scheduleInWords } from './schedule-words.ts';
import { told } from './told.ts';

export interface ShownSource {
  name: string;
  /** `staff.csv`, `SFTP`, `preset bamboohr`; empty for rules without a place. */
  from: string;
  /** Who keeps it in the ledger; absent for one of the config. */
  keptBy?: string;
  schedule?: { cron: string; timezone: string; next: string[] };
  /** People in the last rosters that count as usual; absent before the first. */
  usual?: { least: number; most: number; heldBelow?: number };
  isPushed?: boolean;
  webhook?: { path: string; events: { result: string; count: number }[]; latest: LatestEvent[] };
}

export function sourcesPage(sources: readonly ShownSource[], viewer: Viewer, days: number): Html {
  if (sources.length === 0) {
    return html`<h1>No source yet</h1>
      <p>
        A source is a place where rosters come from. <a href="/import">Import a file</a> and keep its mapping, or ask
        whoever runs roster-sync to set one up.
      </p>`;
  }
  return html`<h1>${count(sources.length, 'source')}</h1>
    <p class="lead">
      Where rosters come from. Whoever runs roster-sync sets them up; those that are kept from an import are changed on
      their own page.
    </p>
    ${sources.map((source) => section(source, viewer, days))}`;
}

function section(source: ShownSource, { mayRun }: Viewer, days: number): Html {
  const { name, from, keptBy, schedule, usual, webhook } = source;
  const byHand = t('when you import a file or press a button');
  const facts: (readonly [string, HtmlPart])[] = [
    [t('Comes from'), from === '' ? t('a file that somebody imports, or events') : from],
    ...(keptBy === undefined
      ? []
      : [
          [
            t('Kept'),
            html`from an import, by ${keptBy}. <a href="/kept/${encodeURIComponent(name)}">Its rules</a>`,
          ] as const,
        ]),
    [t('Next'), schedule === undefined ? whenRead(source, byHand) : next(schedule)],
    [t('People'), people(usual)],
    ...(webhook ? [[t('Webhook'), aboutWebhook(name, webhook, days)] as const] : []),
  ];
  const canRead = mayRun && keptBy === undefined && from !== '';
  return html`<section>
    <h2>${name}</h2>
    ${list(facts)} ${canRead && buttons(name)}
  </section>`;
}

function aboutWebhook(name: string, webhook: NonNullable<ShownSource['webhook']>, days: number): Html {
  return html`<code>${webhook.path}</code><br />${events(name, webhook.events, days)}
    ${webhook.latest.length > 0 && latestEvents(name, webhook.latest)}`;
}

/** `byHand`: what a person can do: `when you import a file`. */
export function whenRead({ isPushed, webhook }: { isPushed?: boolean; webhook?: unknown }, byHand: string): string {
  if (isPushed) return t('after people are pushed (SCIM)');
  return webhook === undefined ? byHand : t('after an event, or {byHand}', 1, { byHand });
}

function next({ cron, timezone, next }: NonNullable<ShownSource['schedule']>): Html {
  const [first, ...later] = next;
  const said = scheduleInWords(cron);
  const clocks =
    said === undefined
      ? html`Times by the clocks of ${timezone}.`
      : html`${sentence(said).slice(0, -1)} by the clocks of ${timezone}.`;
  const times = later.map((at, place) => html`${place > 0 && ', '}${time(at)}`);
  return html`${first === undefined ? t('never again') : time(first)}${later.length > 0 && html`<span class="quiet">, then ${times}</span>`}
    <br /><span class="quiet">${clocks}</span>`;
}

function people(usual: ShownSource['usual']): string {
  if (usual === undefined) return t('nothing is usual yet: no roster of it was released');
  const { least, most, heldBelow } = usual;
  const range = least === most ? figure(least) : `${figure(least)}–${figure(most)}`;
  if (heldBelow === undefined) return t('usually {range}', 1, { range });
  return t('usually {range}, held below {least}', 1, { range, least: figure(heldBelow) });
}

function events(name: string, counts: { result: string; count: number }[], days: number): Html {
  if (counts.length === 0) return html`<span class="quiet">No event in the last ${days} days.</span>`;
  const rows = counts.map(({ result, count }) =>
    row(told(sentences()[`webhook-${result}`] ?? result), { n: figure(count) }),
  );
  const caption = t('Events of {name} in the last {days} days', days, { name, days });
  return table(caption, [t('What happened to them'), { n: t('Events') }], rows);
}

/** Only what was verified is kept singly. */
function latestEvents(name: string, latest: readonly LatestEvent[]): Html {
  const rows = latest.map(({ receivedAt, kind, isWaiting, runId }) => {
    const became = runId === null ? t('nobody to send') : html`<a href="/runs/${runId}">run ${runId}</a>`;
    const what = isWaiting ? t('waits to be handled') : became;
    return row(time(receivedAt.toISOString()), kind.slice(0, 80), pill(t('Accepted'), 'ok'), what);
  });
  const headings = [t('Came'), t('Kind'), t('Verified'), t('What came of it')];
  return html`<details>
    <summary>${t('The last [1 event that was|# events that were] accepted', latest.length)}</summary>
    ${table(t('The last events of {name}', 1, { name }), headings, rows)}
    <p class="small quiet">Of what is refused, only the count is kept: nobody has verified who sent it.</p>
  </details>`;
}

function buttons(name: string): Html {
  const button = (look: string, word: string, kind: string): Html =>
    html`<form method="post" action="/sources/run">
      ${hidden({ source: name, look })}
      <button class="${kind}" aria-label="${word}: ${name}">${word}</button>
    </form>`;
  return html`<div class="row field">
      ${button('first', t('Read it and show me first'), 'dark')}${button('', t('Read it and send'), '')}
    </div>
    <p class="small quiet">To send means: at once, what no guard holds. It cannot be taken back.</p>`;
}

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
  ok: [words('Good'), 'ok'],
  remark: [words('Look'), 'warn'],
  problem: [words('Problem'), 'bad'],
};

/** What settings are about, by the first part of their names; those of none say where data is kept. */
const meanings: Readonly<Record<string, string>> = {
  service: words('The service'),
  delivery: words('Sending'),
  server: words('These pages and the API'),
  notify: words('Who is notified'),
  retention: words('How long data is kept'),
  answers: words('Answers to stories'),
};

/** A setting as part of what it is about, in words; that of a source is taken apart. */
function inWords({
  name,
  value = '',
  from,
}: ShownSetting): { about: string; words: string; value: string; from: string }[] {
  const [root = '', ...path] = name.split('.');
  if (root === 'sources' && path.length > 0) {
    const parts = Object.entries(Object(readValue(value)) as object);
    const about = t('Source {name}', 1, { name: path.join('.') });
    return parts.map(([key, part]) => {
      return { about, words: capital(spaced(key)), value: valueInWords(part), from };
    });
  }
  const about = path.length === 0 ? t('Where data is kept') : t(meanings[root] ?? capital(spaced(root)));
  const words = capital(path.map(spaced).join(' ') || spaced(root));
  return [{ about, words, value: valueInWords(readValue(value)), from }];
}

/** `maxInvitations` as `max invitations`; a name of another form is somebody's own. */
function spaced(name: string): string {
  if (!/^[a-z][a-zA-Z\d]*$/.test(name)) return name;
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(/\burl\b/g, 'URL');
}

const capital = (words: string): string => words.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

const readValue = (text: string): unknown => (/^(?:[[{"]|true$|false$)/.test(text) ? (parseJson(text) ?? text) : text);

function valueInWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (Array.isArray(value)) return value.map(valueInWords).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).map(([key, part]) => `${spaced(key)} ${valueInWords(part)}`);
  return parts.join('; ');
}

/** What is not set and has no default is left out. */
export function settingsPage({ file, settings, checks, mayAsk, hasMore }: SettingsView): Html {
  const problems = checks.filter(({ state }) => state === 'problem').length;
  const found = checks.map(({ what, state, text }) => {
    const [word, tone] = states[state];
    return row(what, pill(t(word), tone), localMoments(text));
  });
  const set = settings.filter(({ value }) => value !== undefined).flatMap(inWords);
  const heading =
    problems === 0 ? t('Everything that was checked is good') : t('[One thing needs you|# things need you]', problems);
  const changing =
    file === undefined
      ? html`Whoever runs roster-sync changes the settings, not on this page.`
      : html`Whoever runs roster-sync changes the settings in ${file}, not on this page.`;
  const ask = deed('/settings/ask', t('Ask the service, too'));
  const check = deed('/settings/check', t('Check backup, tables and PGP keys'));
  return html`<h1>${heading}</h1>
    <p class="lead">${changing}</p>
    <h2>Checks</h2>
    ${table(t('Checks'), [t('What'), t('Is'), t('Found')], found)}
    ${mayAsk && html`<div class="row field">${ask}<span class="small quiet">One harmless question, no person.</span></div>`}
    ${
      mayAsk &&
      hasMore &&
      html`<div class="row field">
        ${check} <span class="small quiet">Reads all of them; may take some seconds.</span>
      </div>`
    }
    ${[...Map.groupBy(set, ({ about }) => about)].map(([about, all]) => settingsAbout(about, all))}`;
}

/** What somebody has set, and folded what has its default. */
function settingsAbout(about: string, all: ReturnType<typeof inWords>): Html {
  const [own, others] = [all.filter(({ from }) => from !== 'default'), all.filter(({ from }) => from === 'default')];
  const rowOf = ({ words, value, from }: (typeof all)[number]): Html =>
    row(words, value, ...(from === 'default' ? [] : [{ 'quiet late': html`<span class="small">${from}</span>` }]));
  return html`<section>
    <h2>${about}</h2>
    ${own.length > 0 && table(about, [t('Setting'), t('Value'), { wide: t('Set in') }], own.map(rowOf))}
    ${
      others.length > 0 &&
      html`<details>
        <summary>${count(others.length, 'default')}</summary>
        ${table(t('{about}: defaults', 1, { about }), [t('Setting'), t('Value')], others.map(rowOf))}
      </details>`
    }
  </section>`;
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
    <p class="lead">Kept from an import by ${by}, ${time(at)}. It says how files of this kind are read.</p>
    ${
      isOverruled &&
      html`<div class="note">
        <p><b>It is not used.</b> Whoever runs roster-sync has set up a source of this name, which wins.</p>
      </div>`
    }
    ${
      mayRun
        ? html`<form method="post" action="${path}">
            ${hidden({ shown: at })}
            ${problems.length > 0 && html`<div class="problems" role="alert" id="wrong">${problems.map((each) => html`<p>${each}</p>`)}</div>`}
            <div class="field wide-field">
              <label for="block">Its rules</label>
              <p class="small quiet">
                How each column is read, and who counts: a line each. What you save is checked first.
              </p>
              <textarea id="block" name="block" rows="18" spellcheck="false" ${problems.length > 0 && isWrong}>
${lines(block)}</textarea>
            </div>
            <button class="dark">Save</button>
          </form>`
        : html`<pre>${lines(block)}</pre>`
    }
    <details>
      <summary>For whoever runs roster-sync</summary>
      <p class="small quiet">The same as lines of its settings.</p>
      <pre tabindex="0" aria-label="The source as lines of settings">${lines(exported)}</pre>
    </details>
    ${
      mayRun &&
      html`<section>
        <h2>Remove it</h2>
        <p class="small quiet">What was sent stays.</p>
        ${deed(`${path}/remove`, t('Remove {name}', 1, { name }), 'danger')}
      </section>`
    }`;
}
