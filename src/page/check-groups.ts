// The groups of an upload: what each is called in the file, how many people have it, and what it becomes.
import type { CheckGroup, CheckView } from '../intake/check-view.ts';
import type { Html } from '../core/text/format.ts';
import { field, fixedTable, hidden, note } from './parts.ts';
import { count, figure, formats, html, t } from './words.ts';

/** Groups that are listed at once; the others are folded. */
const mostShown = 24;
/** Groups whose name can be typed. */
const mostTyped = 500;
/** Names that are offered while somebody types. */
const mostOffered = 500;
/** Other names that became the same group, which are named. */
const mostNamed = 3;

export function checkGroups(view: CheckView): Html {
  const { groups, always, rowNotes } = view;
  const shown = groups.slice(0, mostShown);
  const folded = groups.slice(mostShown, mostTyped);
  const further = groups.length - mostTyped;
  const sent = new Set(groups.flatMap(({ group }) => (group === '' ? [] : [group])));
  return html`<section id="groups">
    <h2>Groups<small>${count(sent.size, 'group')}. Each person goes into all of theirs with one call.</small></h2>
    ${alike(view)} ${rowNotes.map((text) => note(text, ''))}
    ${
      groups.length > 0 &&
      html`<p class="small quiet" id="naming">
          Type another name to rename a group, or the name of another group to put them together. Empty the field to
          leave the group out.
        </p>
        <datalist id="names">${offered(view, sent).map((name) => html`<option value="${name}"></option>`)}</datalist>
        ${groupTable(t('Groups in the file'), shown, groups)}`
    }
    ${
      folded.length > 0 &&
      html`<details>
        <summary>${count(folded.length, 'more group')}</summary>
        ${groupTable(t('More groups in the file'), folded, groups)}
      </details>`
    }
    ${
      further > 0 &&
      html`<p class="small quiet">${t('[1 more group|# more groups]: paste their names to rename them.', further)}</p>`
    }
    <details>
      <summary>Paste names from a table</summary>
      <div class="field">
        <label for="pasted-names">What the file says, and what it becomes</label>
        <p class="small quiet">
          Two columns, as you copy them from a spreadsheet, or with a comma between. They count for groups that come
          later, too.
        </p>
        <textarea id="pasted-names" name="names" rows="6" spellcheck="false" placeholder="100, Sales"></textarea>
      </div>
    </details>
    <button name="do" value="groups">Use these names</button>
    ${field(
      'always',
      t('A group for everybody'),
      { value: always, maxlength: '500' },
      { hint: t('Leave it empty for none.') },
    )}
  </section>`;
}

/** Groups that look like others are offered as those. */
function alike({ like }: CheckView): Html[] {
  return like.slice(0, mostShown).map(({ group, people, like: other, likePeople }) => {
    const known = likePeople === Infinity;
    return html`<div class="note">
      <p>
        <b>${known ? html`“${group}” was never used before.` : html`“${group}” looks like a slip.`}</b>
        ${count(people, 'person', 'people')}. It is like “${other}”
        (${known ? t('used before') : count(likePeople, 'person', 'people')}).
      </p>
      <div class="row">
        <button name="rename" value="${JSON.stringify([group, other])}">Put them into ${other}</button
        ><button class="plain" name="meant" value="${group}">It is a group of its own</button>
      </div>
    </div>`;
  });
}

function offered({ usedBefore }: CheckView, sent: ReadonlySet<string>): string[] {
  return [...new Set([...sent, ...usedBefore])].slice(0, mostOffered);
}

function groupTable(caption: string, shown: readonly CheckGroup[], all: readonly CheckGroup[]): Html {
  const alike = Map.groupBy(all, ({ group }) => group);
  const rows = shown.map((one) => {
    const { name, group, from, people } = one;
    const others = group === '' ? [] : (alike.get(group) ?? []).filter((other) => other !== one);
    return html`<tr>
      <th scope="row"><b>${name}</b><span class="samples">${from === 'everybody' ? t('everybody') : from}</span></th>
      <td class="n">${figure(people)}</td>
      <td>${from === 'everybody' ? group : becomes(one, others)}</td>
    </tr>`;
  });
  const headings = [t('In the file'), { n: t('People') }, t('Becomes')];
  return fixedTable(caption, headings, rows, 'columns-table groups-table');
}

function becomes({ name, group }: CheckGroup, others: readonly CheckGroup[]): Html {
  const named = others.map((other) => `“${other.name}”`);
  const further = named.length - mostNamed;
  const groups =
    further > 0
      ? t('{names} and # more', further, { names: named.slice(0, mostNamed).join(', ') })
      : formats().list.format(named);
  const said = named.length > 0 ? t('together with {groups}', 1, { groups }) : '';
  return html`<input
      type="text"
      name="group.${name}"
      value="${group}"
      aria-label="${name} becomes"
      aria-describedby="naming"
      list="names"
      maxlength="500"
      placeholder="left out"
      autocomplete="off"
    />${hidden({ [`was.${name}`]: group })}${said !== '' && html`<span class="samples">${said}</span>`}`;
}
