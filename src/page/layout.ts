// The frame of every page: head, navigation, who is signed in, and the title.
import { html, type Html, type HtmlPart } from '../core/text/html.ts';

/** Who looks at a page, and what they may do. */
export interface Viewer {
  /** As the audit names them: `mette@hr-laptop`. */
  name: string;
  mayRun: boolean;
  mayApprove: boolean;
  /** Names of people who may approve, where this one may not and they are known. */
  approvers?: readonly string[];
  /** Why they may not approve the run of this page, although they may approve. */
  waits?: string;
}

/** What frames a page. */
export interface Frame {
  /** Says what is asked, or what is so. */
  title: string;
  /** The place in the navigation; absent for pages that are none. */
  place?: Place;
  /** Absent on the page that asks to sign in. */
  viewer?: Viewer;
  /** Where calls go: `learning.example.com`; absent where no service is set. */
  service?: string;
  /** Load the page again after this number of seconds: something of it is changing. */
  refreshSeconds?: number;
}

const places = {
  home: ['/', 'Home'],
  import: ['/import', 'Import'],
  runs: ['/runs', 'Runs'],
  people: ['/people', 'People'],
} as const;
type Place = keyof typeof places;

/** One whole page; it needs nothing but the stylesheet, and no script. */
export function page({ title, place, viewer, service, refreshSeconds }: Frame, ...body: HtmlPart[]): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="referrer" content="same-origin" />
        ${refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${refreshSeconds}" />`}
        <title>${title} · roster-sync</title>
        <link rel="stylesheet" href="/page.css" />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <div class="wide">
            <b>roster-sync</b>${viewer && navigation(place, viewer)}${viewer && who(viewer, service)}
          </div>
        </header>
        <main id="main" class="wide" tabindex="-1">${body}</main>
      </body>
    </html> `;
}

function navigation(place: Place | undefined, { mayRun }: Viewer): Html {
  const shown = Object.entries(places).filter(([name]) => mayRun || name !== 'import');
  const links = shown.map(
    ([name, [path, word]]) => html`<a href="${path}" ${name === place && html` aria-current="page"`}>${word}</a>`,
  );
  return html`<nav aria-label="Main">${links}</nav>`;
}

/** What somebody may do, where that is not everything, and who may do more. */
export function mayOnly({ mayRun, mayApprove, approvers = [] }: Viewer): string {
  if (mayApprove) return 'You may do everything.';
  const most = 3;
  const names = approvers.length > most ? [...approvers.slice(0, most - 1), 'others'] : approvers;
  const others =
    names.length === 0
      ? 'Somebody else'
      : [names.slice(0, -1).join(', '), names.at(-1) ?? ''].filter(Boolean).join(' or ');
  return `${mayRun ? 'You may bring files and steer runs.' : 'You may look.'} ${others} may approve.`;
}

function who({ name, mayRun, mayApprove }: Viewer, service: string | undefined): Html {
  const may = mayApprove ? 'may approve' : mayRun ? 'may start and stop runs' : 'may look';
  const to = service === undefined ? 'no service is set' : `sends to ${service}`;
  return html`<div class="who">
    <b>${name}</b>, ${may} ·
    <form method="post" action="/sign-out"><button class="plain">Sign out</button></form>
    <br />${to}
  </div>`;
}
