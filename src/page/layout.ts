// The frame of every page: head, navigation, who is signed in, the title; what is said while something is away.
import type { Html, HtmlPart } from '../core/text/format.ts';
import { html, formats, language, t, words } from './words.ts';
import { days } from './parts.ts';

/** Who looks at a page, and what they may do. */
export interface Viewer {
  /** As the audit names them: `mette@hr-laptop`. */
  name: string;
  mayRun: boolean;
  mayApprove: boolean;
  mayGiveAccess?: boolean;
  /** Names of people who may approve, where this one may not and they are known. */
  approvers?: readonly string[];
  /** Why they may not approve the run of this page, although they may approve. */
  waits?: string;
}

export interface Frame {
  /** In the addresses of what browsers keep, so that an upgrade is seen at once. */
  version: string;
  title: string;
  /** The place in the navigation; absent for pages that are none. */
  place?: Place;
  viewer?: Viewer;
  service?: string;
  isQueueAway?: boolean;
  /** Something of it is changing: the id of its run, or `*` for any. */
  live?: string;
}

const places = {
  home: ['/', words('Home')],
  import: ['/import', words('Import')],
  runs: ['/runs', words('Runs')],
  people: ['/people', words('People')],
  sources: ['/sources', words('Sources')],
  stories: ['/stories', words('Stories')],
  settings: ['/settings', words('Settings')],
  accounts: ['/accounts', words('Accounts')],
} as const;
type Place = keyof typeof places;

/** Fills the part of a bar for people with an unknown outcome. */
export const hatch = html`<svg class="hidden" aria-hidden="true" focusable="false">
  <defs>
    <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="fill-page" width="6" height="6" />
      <rect class="fill-warn" width="3.5" height="6" />
    </pattern>
  </defs>
</svg>`;

/** Without the script a page that changes is loaded again after this time. */
const refreshSeconds = 5;
/** What the script says, by the names that it has for it. */
const scriptWords = (): Record<string, unknown> => ({
  days: days(),
  away: t(
    'The memory of roster-sync does not answer. Nothing is sent, nothing is lost. This page tries again every 5 seconds.',
  ),
  silent: t('roster-sync does not answer. This page tries again every 5 seconds.'),
  signedOut: t('You are signed out. What you see is no longer up to date.'),
  signIn: t('Sign in and go on'),
  copied: t('Copied'),
  selected: t('Selected: press Ctrl+C, or Command+C'),
  oneFile: t('Drop one file at a time, or a zip of them.'),
  folder: t('That is a folder. Drop a file, or a zip of the folder.'),
  tooLarge: t('The file has {size} MB; {most} MB is the most.', 1, { size: '{size}', most: '{most}' }),
  chosen: t('{file} is chosen. Say what it is, then press “Continue”.', 1, { file: '{file}' }),
  reading: t('Reading {file} … Nothing is sent to the service.', 1, { file: '{file}' }),
  readingRows: t('Reading the rows that you pasted … Nothing is sent to the service.'),
  newer: t('{newer} newer, show', 1, { newer: '{newer}' }),
});

/** One whole page. It needs nothing but the stylesheet; the script only keeps it up to date. */
export function page(
  { version, title, place, viewer, service, live, isQueueAway = false }: Frame,
  ...body: HtmlPart[]
): Html {
  return html`<!doctype html>
    <html lang="${language()}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="same-origin" />
        ${live !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`}
        <title>${title} · roster-sync</title>
        <link rel="stylesheet" href="/page.css?${version}" />
        <script src="/page.js?${version}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <div class="wide">
            <b>roster-sync</b>${viewer && navigation(place, viewer, service)}${viewer && who(viewer, service)}
          </div>
        </header>
        <p id="banner" class="banner wide" role="alert" hidden></p>
        <div id="queue-away" data-part>${isQueueAway && queueAwayBanner()}</div>
        <main
          id="main"
          class="wide"
          tabindex="-1"
          data-words="${JSON.stringify(scriptWords())}"
          ${live !== undefined && html` data-live="${live}"`}
        >
          ${body}
        </main>
        ${viewer && html`<form id="person" method="post" action="/people" hidden></form>`} ${hatch}
      </body>
    </html> `;
}

/** On a phone the same behind "Menu"; one of the two is shown. */
function navigation(place: Place | undefined, viewer: Viewer, service: string | undefined): Html {
  const may: Partial<Record<string, boolean>> = { import: viewer.mayRun, accounts: viewer.mayGiveAccess === true };
  const shown = Object.entries(places).filter(([name]) => may[name] ?? true);
  const links = shown.map(
    ([name, [path, word]]) => html`<a href="${path}" ${name === place && html` aria-current="page"`}>${t(word)}</a>`,
  );
  return html`<nav class="places" aria-label="Main">${links}</nav>
    <details class="menu">
      <summary class="button">Menu</summary>
      <nav aria-label="Main">${links}</nav>
      ${who(viewer, service)}
    </details>`;
}

export function mayOnly({ mayRun, mayApprove, approvers = [] }: Viewer): string {
  if (mayApprove) return t('You may do everything.');
  const most = 3;
  const names = approvers.length > most ? [...approvers.slice(0, most - 1), t('others')] : approvers;
  const others = names.length === 0 ? t('Somebody else') : formats().either.format(names);
  return mayRun
    ? t('You may import files and steer runs. {others} may approve.', 1, { others })
    : t('You may look. {others} may approve.', 1, { others });
}

function who({ name, mayRun, mayApprove }: Viewer, service: string | undefined): Html {
  const may = mayApprove ? t('may approve') : mayRun ? t('may start and stop runs') : t('may look');
  const isSandbox = service !== undefined && /^(?:127\.0\.0\.1|localhost|\[::1\])(?::|$)/.test(service);
  const to = service === undefined ? t('no service is set') : t('sends to {service}', 1, { service });
  return html`<div class="who">
    <b>${name}</b>, ${may} ·
    <form method="post" action="/sign-out"><button class="plain">Sign out</button></form>
    <br />${isSandbox ? html`<span class="sandbox">${to}, on this machine</span>` : to}
  </div>`;
}

export const ledgerAwayTitle = words('The ledger does not answer');

export function ledgerAwayPage(wasSent: boolean): Html {
  return html`<h1>${t(ledgerAwayTitle)}</h1>
    <p>
      roster-sync cannot reach its database. Nothing new is sent. What was begun is not lost: it waits, and continues by
      itself when the database answers.
    </p>
    ${
      wasSent
        ? html`<p>What you just asked for may still be done then. Look before you ask again.</p>`
        : html`<p>This page tries again every 5 seconds.</p>`
    }
    <p><a href="/">Home</a></p>`;
}

/** Above a page while the queue is away. */
function queueAwayBanner(): Html {
  return html`<p class="banner wide" role="status">
    Sending stands still: the queue does not answer. What was begun waits, and continues by itself when the queue
    answers. You can still look, import files and decide.
  </p>`;
}
