// The steps of an import: file, check, people, sent.
import { html, type Html } from '../core/text/html.ts';

const steps = ['File', 'Check', 'People', 'Sent'] as const;

/** Where an import is; steps that are done lead back to themselves. */
export function stepper(now: (typeof steps)[number], upload: string): Html {
  const paths: Record<string, string> = { File: '/import', Check: `/import/${upload}` };
  const at = steps.indexOf(now);
  const items = steps.map((step, index) => {
    if (index < at) {
      return html`<li class="done">
        <a href="${paths[step]}"><span aria-hidden="true">✓</span><b>${step}</b><span class="hidden">, done</span></a>
      </li>`;
    }
    return html`<li ${index === at && html` aria-current="step" class="now"`}>
      <span aria-hidden="true">${index + 1}</span><b>${step}</b>
    </li>`;
  });
  return html`<ol class="steps" aria-label="Steps of this import">
    ${items}
  </ol>`;
}
