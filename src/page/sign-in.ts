// How to sign in, and back to what somebody was doing.
import { type Back, welcomePath } from '../core/access/roles.ts';
import type { Html } from '../core/text/format.ts';
import { deed, field, hidden, wrong } from './parts.ts';
import { html, t, words } from './words.ts';

export interface SignInView {
  /** Why it is shown; nothing is said to somebody who only comes. */
  reason?: 'used' | 'over' | 'wrong' | 'throttled' | undefined;
  back: Back;
  hadFile?: boolean;
  name?: string;
  hasAccounts: boolean;
  service?: string;
}

export function signInPage(view: SignInView): { title: string; body: Html } {
  const { reason, back, hasAccounts, service } = view;
  const isAlone = !hasAccounts && service === undefined;
  const title =
    reason === 'used'
      ? t('This link worked once already')
      : reason === 'over'
        ? t('You were signed out')
        : t('Sign in');
  const body = html`<h1>${title}</h1>
    ${reason === 'used' && html`<p>Each link works once, within five minutes. Ask for a new one.</p>`}
    ${reason === 'over' && html`<p>A session lasts 8 hours. ${back.fields && t('What you typed is kept.')}</p>`}
    ${view.hadFile && html`<p>Your file was not kept. Choose it again after you sign in.</p>`}
    ${service !== undefined && elsewhere(service, back)} ${hasAccounts && form(view)}
    ${!isAlone && html`<h2>Without an account</h2>`}
    <p>Whoever runs roster-sync can give you a link that signs you in.</p>
    <p class="quiet">If that is you: the command “open” of roster-sync opens it in your browser.</p>
    ${back.fields && again(back)}`;
  return { title, body };
}

/** The way to the sign-in service; with a form, over a page that keeps it. */
function elsewhere(service: string, back: Back): Html {
  if (back.fields === undefined) {
    const query = new URLSearchParams({ to: back.path }).toString();
    return html`<p class="field"><a class="button main" href="/sign-in/with?${query}">Sign in with ${service}</a></p>`;
  }
  return html`<form method="post" action="/sign-in/with" class="field">
    ${keptFields(back)}<button class="main">Sign in with ${service} and go on</button>
  </form>`;
}

/** What somebody had sent is kept; from here they go to sign in elsewhere. */
export function leavingPage(service: string, url: string): Html {
  return html`<h1>Sign in with ${service}</h1>
    <p>What you typed is kept until you come back.</p>
    <p class="field"><a class="button main" href="${url}">Go on to ${service}</a></p>`;
}

function keptFields({ path, fields }: Back): Html {
  return html`${hidden({ to: path, ...(fields && { kept: JSON.stringify(fields) }) })}`;
}

export const wrongs = {
  wrong: words('Name or password is wrong.'),
  throttled: words('Too many attempts. Wait 15 minutes, then try again.'),
} as const;

function form({ reason, back, name = '' }: SignInView): Html {
  const why = reason === 'wrong' || reason === 'throttled' ? t(wrongs[reason]) : undefined;
  const asked = (name: string, label: string, attributes: Record<string, string>): Html =>
    field(name, label, { required: '', ...attributes }, { isMarked: why !== undefined });
  return html`<form method="post" action="/sign-in">
    ${why !== undefined && wrong(why)} ${keptFields(back)}
    ${asked('name', t('Name'), { value: name, autocomplete: 'username' })}
    ${asked('password', t('Password'), { type: 'password', autocomplete: 'current-password' })}
    <div class="field"><button class="main">${back.fields ? t('Sign in and go on') : t('Sign in')}</button></div>
  </form>`;
}

/** For who was given a link to an account; without a `name` the link is used or over. */
export function welcomePage({
  link,
  name,
  why,
}: {
  link: string;
  name?: string | undefined;
  why?: string | undefined;
}) {
  if (name === undefined) {
    return html`<h1>This link was used, or is over</h1>
      <p>
        Each link works once. If you have chosen a password already, <a href="/sign-in">sign in</a>. Otherwise ask
        whoever sent you the link for a new one.
      </p>`;
  }
  const asked = (name: string, label: string): Html =>
    field(
      name,
      label,
      { required: '', type: 'password', autocomplete: 'new-password' },
      { isMarked: why !== undefined },
    );
  return html`<h1>Welcome, ${name}</h1>
    <p>Choose the password with which you sign in from now on, as ${name}.</p>
    <form method="post" action="${welcomePath}">
      ${why !== undefined && wrong(why)} ${hidden({ link })}
      <input type="text" name="name" value="${name}" autocomplete="username" hidden />
      ${asked('password', t('Password, at least 12 characters'))} ${asked('again', t('The same again'))}
      <div class="field"><button class="main">Save it and sign in</button></div>
    </form>`;
}

/** For who signs in on another page of the same browser. */
function again(back: Back): Html {
  return html`<p>Signed in? Your form is still here:</p>
    ${goOn(back)}`;
}

function goOn({ path, fields = {} }: Back): Html {
  return deed(path, t('Go on'), 'dark', fields);
}

/** Somebody has signed in again; what they had sent goes out only when they say so. */
export function goOnPage(name: string, back: Back): Html {
  return html`<h1>You are signed in</h1>
    <p>You are ${name}. What you typed before is kept, and was not sent yet.</p>
    <div class="row">${goOn(back)}<a class="button" href="/">Leave it</a></div>`;
}
