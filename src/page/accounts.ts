// Who may sign in to the pages, who is signed in, and the links with which somebody chooses a password.
import type { z } from 'zod';
import type { UserInvited, UsersDocument } from '../acts/shapes/upkeep.ts';
import { type Role, roles } from '../core/access/roles.ts';
import type { Html } from '../core/text/format.ts';
import { choice, deed, field, hidden, option, row, table, time } from './parts.ts';
import { html, t, words } from './words.ts';

type Users = z.output<typeof UsersDocument>;

/** What each role is called, and what it may do. */
const rights: Record<Role, readonly [called: string, may: string]> = {
  viewer: [words('viewer'), words('looks at everything')],
  operator: [words('operator'), words('also imports files, and starts, pauses, resumes and cancels runs')],
  approver: [words('approver'), words('also approves held runs, resolves moves and forgets people')],
  admin: [words('admin'), words('also decides who may sign in, on this page')],
};
const called = (role: Role): string => t(rights[role][0]);

/** What somebody typed to invite, and why it was not taken. */
export interface Tried {
  name: string;
  role: string;
  why?: string;
}

/** `self`: whoever looks. Their own account is changed by somebody else, so that nobody locks themselves out. */
export function accountsPage(
  { users, guests }: Users,
  self: string,
  tried: Tried = { name: '', role: 'viewer' },
): Html {
  const people = users.map((user) =>
    row(
      html`<b>${user.name}</b>`,
      called(user.role),
      user.lastSignInAt === null ? t('never signed in') : time(user.lastSignInAt),
      whereOf(user),
      { when: user.name === self ? t('you') : changes(user) },
    ),
  );
  const visitors = guests.map(({ name, since, until }) =>
    row(html`<b>${name}</b>`, time(since), time(until), deed('/accounts/sign-out', t('Sign out'), 'slim', { name })),
  );
  const headings = [t('Name'), t('Role'), t('Last signed in'), t('Now'), { unseen: t('Change') }];
  const guestHeadings = [t('Name'), t('Since'), t('Until'), { unseen: t('End it') }];
  return html`<h1>Accounts</h1>
    <p class="lead">Who may sign in to these pages, and what they may do.</p>
    ${users.length > 0 && html`<div class="stacks">${table(t('Accounts'), headings, people)}</div>`}
    <section>
      <h2>Invite somebody</h2>
      <p class="small quiet">You get a link to send them. With it they choose a password of their own.</p>
      <form method="post" action="/accounts">
        ${field('name', t('Name'), { value: tried.name, maxlength: '64', required: '' }, { why: tried.why })}
        <fieldset>
          <legend>Role</legend>
          ${roles.map((role) =>
            choice(
              { type: 'radio', name: 'role', value: role, isOn: role === tried.role },
              called(role),
              t(rights[role][1]),
            ),
          )}
        </fieldset>
        <div class="field"><button class="dark">Make a link</button></div>
      </form>
    </section>
    ${
      guests.length > 0 &&
      html`<section>
        <h2>Signed in without an account</h2>
        <p class="small quiet">By a link of the machine that runs roster-sync, or with your company's sign-in.</p>
        ${table(t('Signed in without an account'), guestHeadings, visitors)}
      </section>`
    }`;
}

function whereOf({ sessions, linkUntil }: Users['users'][number]): Html | string {
  if (linkUntil !== null) return html`has a link until ${time(linkUntil)}`;
  return t(sessions === 0 ? 'not signed in' : '[signed in|signed in at # places]', sessions);
}

function changes({ name, role, sessions }: Users['users'][number]): Html {
  return html`<details>
    <summary aria-label="Change ${name}">Change</summary>
    <form class="row field" method="post" action="/accounts/role">
      ${hidden({ name })}
      <select name="role" aria-label="Role of ${name}">
        ${roles.map((each) => option(each, called(each), each === role))}</select
      ><button>Change the role</button>
    </form>
    <div class="row">
      ${sessions > 0 && deed('/accounts/sign-out', t('Sign out everywhere'), '', { name })}
      ${deed('/accounts/link', t('Make a link for a new password'), '', { name })}
      ${deed('/accounts/remove', t('Remove the account'), 'danger', { name })}
    </div>
  </details>`;
}

/** The only page that shows a link to an account. */
export function invitedPage({ name, role }: z.output<typeof UserInvited>, address: string): Html {
  return html`<h1>Send ${name} this link</h1>
    <p class="field">
      <input class="wide-field" type="text" readonly value="${address}" aria-label="The link for ${name}" />
    </p>
    <p>
      It works once, within three days. Whoever opens it chooses the password of the account ${name}, ${called(role)}:
      send it to nobody else. roster-sync does not send it, and shows it only now.
    </p>
    <p><a class="button" href="/accounts">Back to the accounts</a></p>`;
}
