// The sources: where each roster comes from, when, what is usual, and what holds it.
import { count, figure, html, type Html, type HtmlPart } from '../core/text/format.ts';
import { sentences } from '../core/words/say.ts';
import type { LatestEvent } from '../ledger/events/events.ts';
import type { Viewer } from './layout.ts';
import { hidden, list, pill, row, table, time } from './parts.ts';

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
        A source is a place where rosters come from. <a href="/import">Import a file</a> and keep its mapping, or write
        one with <code>roster-sync init FILE</code>.
      </p>`;
  }
  return html`<h1>${count(sources.length, 'source')}</h1>
    <p class="lead">Where rosters come from. A source in the config is changed there.</p>
    ${sources.map((source) => section(source, viewer, days))}`;
}

function section(source: ShownSource, { mayRun }: Viewer, days: number): Html {
  const { name, from, keptBy, schedule, usual, webhook } = source;
  const facts: (readonly [string, HtmlPart])[] = [
    ['Comes from', from === '' ? 'a file that somebody imports, or events' : from],
    ['Is written in', keptBy === undefined ? 'the config' : `the ledger, kept by ${keptBy}`],
    ['Next', schedule === undefined ? whenRead(source, 'when you import a file or press a button') : next(schedule)],
    ['People', people(usual)],
    ...(webhook ? [['Webhook', aboutWebhook(name, webhook, days)] as const] : []),
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
  if (isPushed) return 'after people are pushed (SCIM)';
  return webhook === undefined ? byHand : `after an event, or ${byHand}`;
}

function next({ cron, timezone, next }: NonNullable<ShownSource['schedule']>): Html {
  const [first, ...later] = next;
  return html`${first === undefined ? 'never again' : time(first)}${later.length > 0 && html`<span class="quiet">, then ${later.map((at, place) => html`${place > 0 && ', '}${time(at)}`)}</span>`}
    <span class="quiet">(${cron}, ${timezone})</span>`;
}

function people(usual: ShownSource['usual']): string {
  if (usual === undefined) return 'nothing is usual yet: no roster of it was released';
  const { least, most, heldBelow } = usual;
  const range = least === most ? figure(least) : `${figure(least)}–${figure(most)}`;
  return `usually ${range}${heldBelow === undefined ? '' : `, held below ${figure(heldBelow)}`}`;
}

function events(name: string, counts: { result: string; count: number }[], days: number): Html {
  if (counts.length === 0) return html`<span class="quiet">No event in the last ${days} days.</span>`;
  const rows = counts.map(({ result, count }) => row(sentences()[`webhook-${result}`] ?? result, { n: figure(count) }));
  return table(`Events of ${name} in the last ${days} days`, ['What happened to them', { n: 'Events' }], rows);
}

/** Only what was verified is kept singly. */
function latestEvents(name: string, latest: readonly LatestEvent[]): Html {
  const rows = latest.map(({ receivedAt, kind, isWaiting, runId }) => {
    const became = runId === null ? 'nobody to send' : html`<a href="/runs/${runId}">run ${runId}</a>`;
    const what = isWaiting ? 'waits to be handled' : became;
    return row(time(receivedAt.toISOString()), kind.slice(0, 80), pill('Accepted', 'ok'), what);
  });
  return html`<details>
    <summary>The last ${count(latest.length, 'event')} that ${latest.length === 1 ? 'was' : 'were'} accepted</summary>
    ${table(`The last events of ${name}`, ['Came', 'Kind', 'Verified', 'What came of it'], rows)}
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
      ${button('first', 'Read it and show me first', 'dark')}${button('', 'Read it and send', '')}
    </div>
    <p class="small quiet">To send means: at once, what no guard holds. It cannot be taken back.</p>`;
}
