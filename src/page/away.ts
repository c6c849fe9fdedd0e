// Says that ledger or queue is away: what waits, what still works, and what happens to what was begun.
import { html, type Html } from '../core/text/html.ts';

export const ledgerAwayTitle = 'The ledger does not answer';

export function ledgerAwayPage(wasSent: boolean): Html {
  return html`<h1>${ledgerAwayTitle}</h1>
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
export function queueAwayBanner(): Html {
  return html`<p class="banner wide" role="status">
    Sending stands still: the queue does not answer. What was begun waits, and continues by itself when the queue
    answers. You can still look, bring files and decide.
  </p>`;
}
