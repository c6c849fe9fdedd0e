// How to sign in.
import { html, type Html } from '../core/text/html.ts';

/** Says how to sign in; `isUsed` where a link was opened that does not work any more. */
export function signInPage(isUsed: boolean): Html {
  const title = isUsed ? 'This link worked once already' : 'Sign in';
  return html`<h1>${title}</h1>
    <p>
      ${isUsed && 'Each link works once, within five minutes. '}Run this at a terminal, on the machine or account that
      runs roster-sync:
    </p>
    <p><code>roster-sync open</code></p>
    <p class="quiet">It prints a link that signs you in, and opens it in your browser.</p>`;
}
