// The one script of the pages: it keeps a page up to date in place. Every page works without it.
//
// A form with `data-applies` is sent when something in it is changed, and needs no button then.
// A form with `data-drop` takes a file dropped anywhere, and pasted rows: `send` sends it at once, `choose` lets somebody say
// first what it is. What is `data-scripted` is true only with the script.
//
// Served as it is, for browsers of the last years. A page that changes has `data-live` on its `main`, with the id of its
// run or `*`; what may be replaced has an id and `data-part`. Nothing under the pointer or the focus is replaced, and a
// list marked `data-grows` only when somebody asks for it.
'use strict';
(() => {
  const main = document.getElementById('main');
  const say = document.getElementById('say');
  const banner = document.getElementById('banner');
  const everyMs = 5000;
  // In the language of the page: layout.ts.
  const said = JSON.parse((main && main.dataset.words) || '{}');
  const fill = (words, parts) => words.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  const { lang } = document.documentElement;

  // As the server writes it in its own zone: parts.ts.
  const midnight = (at) => new Date(at).setHours(0, 0, 0, 0);
  function inForm(at, form) {
    const two = (value) => String(value).padStart(2, '0');
    const now = new Date();
    const minute = two(at.getHours()) + ':' + two(at.getMinutes());
    const month = at.toLocaleDateString(lang === 'en' ? 'en-GB' : lang, { day: 'numeric', month: 'short' });
    const day = month + ' ' + at.getFullYear();
    const word = said.days[Math.round((midnight(at) - midnight(now)) / 864e5)];
    const date = at.getFullYear() === now.getFullYear() ? month : day;
    const moment = word ? word + ' ' + minute : date + ', ' + minute;
    return { moment, full: day + ', ' + minute, clock: minute + ':' + two(at.getSeconds()), minute, day, month }[form];
  }
  function localTimes(root) {
    for (const each of root.querySelectorAll('time[datetime], [data-at]')) {
      const at = new Date(each.dateTime || each.dataset.at);
      if (Number.isNaN(at.getTime())) continue;
      each.textContent = inForm(at, each.dataset.form);
    }
  }
  localTimes(document);

  /** @returns {NodeListOf<HTMLElement>} */
  const all = (selector) => document.querySelectorAll(selector);
  const inField = ({ target }) => target instanceof Element && target.closest('input, textarea, select') !== null;

  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (inField(event)) return;
    /** @type {HTMLInputElement | null} */
    const search = document.querySelector('input[type=search]');
    if (!search) return;
    event.preventDefault();
    search.focus();
  });

  // What comes out of a file is worked out anew at each choice; a form is sent behind that.
  let working;
  async function workOut(action, fields, name) {
    const answer = await fetch(action, { method: 'POST', body: fields });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!answer.ok || !page.querySelector('form.check')) return location.reload();
    put(document.getElementById('main'), page.getElementById('main'));
    const chosen = [...all('.check [name="' + name + '"]')];
    const input = chosen.find((each) => 'checked' in each && each.checked) || chosen[0];
    if (input) input.focus();
  }
  document.addEventListener('change', ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    if (!input.matches('.check select, .check [type=radio], .check [type=checkbox]')) return;
    const { action } = input.form;
    const fields = new FormData(input.form);
    fields.set('do', 'again');
    const body = new URLSearchParams(/** @type {any} */ (fields));
    const mine = Promise.resolve(working)
      .then(() => workOut(action, body, input.name))
      .catch(() => location.reload())
      .finally(() => working === mine && (working = undefined));
    working = mine;
  });

  document.addEventListener('submit', (event) => {
    const submitter = /** @type {HTMLButtonElement | null} */ (event.submitter);
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (working && form.matches('.check')) {
      event.preventDefault();
      return working.then(() => {
        /** @type {HTMLFormElement} */
        const fresh = document.querySelector('form.check');
        const { name, value } = submitter || {};
        const pressed = [...fresh.querySelectorAll('button')].find(
          (each) => each.name === name && each.value === value,
        );
        fresh.requestSubmit(pressed);
      });
    }
    // After a download the page stays, and the button can be pressed again; a person may be opened in another tab.
    if (form.action.endsWith('/download') || form.hidden) return;
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = '';
    if (submitter && submitter.dataset.busy) submitter.textContent = submitter.dataset.busy;
  });
  addEventListener('pageshow', () => {
    for (const form of all('form[data-sent]')) delete form.dataset.sent;
  });

  // The button says what was chosen: the first words of its label.
  const nameButton = (input) => {
    const button = input.form && input.form.querySelector('button[data-names="' + input.name + '"]');
    if (button) button.textContent = input.labels[0].firstElementChild.nextSibling.textContent;
  };
  document.addEventListener('change', (event) => {
    const { form } = /** @type {HTMLSelectElement} */ (event.target);
    if (form && form.dataset.applies !== undefined) form.requestSubmit();
    nameButton(event.target);
  });
  for (const each of all('form[data-applies] > button')) each.hidden = true;
  all('input:checked').forEach(nameButton);

  for (const each of all('button[data-copy]')) {
    each.hidden = false;
    each.addEventListener('click', async () => {
      const field = /** @type {HTMLTextAreaElement} */ (document.getElementById(each.dataset.copy));
      field.focus();
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        each.textContent = said.copied;
      } catch {
        each.textContent = said.selected;
      }
    });
  }

  /** @type {HTMLFormElement | null} */
  const bring = document.querySelector('form[data-drop]');
  if (bring) {
    for (const each of all('[data-scripted]')) each.hidden = false;
    const tellBring = (words) => {
      banner.textContent = words;
      banner.hidden = false;
    };
    const isFile = (event) => Boolean(event.dataTransfer) && [...event.dataTransfer.types].includes('Files');
    const over = (is) => document.body.classList.toggle('dropping', is);
    /** @type {HTMLInputElement} */
    const picker = bring.querySelector('input[type=file]');
    const takeFile = (files, isFolder) => {
      if (files.length === 0) return;
      if (files.length > 1) return tellBring(said.oneFile);
      if (isFolder) return tellBring(said.folder);
      const limit = Number(bring.dataset.limit);
      const [file] = files;
      const isPicked = files === picker.files;
      if (file.size > limit) {
        if (isPicked) picker.value = '';
        return tellBring(fill(said.tooLarge, { size: Math.ceil(file.size / 1e6), most: Math.floor(limit / 1e6) }));
      }
      const one = new DataTransfer();
      one.items.add(file);
      if (!isPicked) picker.files = one.files;
      if (!isPicked && bring.dataset.drop === 'choose') {
        tellBring(fill(said.chosen, { file: file.name }));
        /** @type {HTMLElement} */
        const choice = bring.querySelector('select, button.dark');
        choice.focus();
        choice.scrollIntoView({ block: 'center' });
      } else {
        tellBring(fill(said.reading, { file: file.name }));
        bring.requestSubmit();
      }
    };
    picker.addEventListener('change', () => takeFile(picker.files, false));
    let depth = 0;
    addEventListener('dragenter', (event) => {
      if (isFile(event)) {
        depth += 1;
        over(true);
      }
    });
    addEventListener('dragleave', (event) => {
      if (isFile(event)) {
        depth -= 1;
        over(depth > 0);
      }
    });
    addEventListener('dragover', (event) => {
      if (isFile(event)) event.preventDefault();
    });
    addEventListener('drop', (event) => {
      if (!isFile(event)) return;
      event.preventDefault();
      depth = 0;
      over(false);
      const [item] = event.dataTransfer.items;
      const entry = item && item.webkitGetAsEntry && item.webkitGetAsEntry();
      takeFile(event.dataTransfer.files, Boolean(entry && entry.isDirectory));
    });
    addEventListener('paste', (event) => {
      if (inField(event)) return;
      if (event.clipboardData.files.length > 0) return takeFile(event.clipboardData.files, false);
      const text = event.clipboardData.getData('text/plain').trim();
      const field = bring.querySelector('textarea');
      if (!/\n/.test(text) || !/[\t,;|]/.test(text)) return;
      event.preventDefault();
      field.value = text;
      if (bring.dataset.drop === 'choose') {
        field.closest('details').open = true;
        field.focus();
      } else {
        tellBring(said.readingRows);
        bring.requestSubmit();
      }
    });
  }

  const watched = main && main.dataset.live;
  if (!watched) return;

  function tell(words, href, word) {
    if (banner.textContent === words + (word ? ' ' + word : '')) return;
    banner.textContent = words;
    if (href) {
      const link = document.createElement('a');
      link.href = href;
      link.textContent = word;
      banner.append(' ', link);
    }
    banner.hidden = words === '';
    document.body.classList.toggle('stale', words !== '');
  }

  const isHeld = (part) => part.contains(document.activeElement) || part.matches(':hover');
  const waiting = new Map();

  function put(part, fresh) {
    const open = [...part.querySelectorAll('details')].map((each) => each.open);
    localTimes(fresh);
    part.replaceWith(fresh);
    fresh.querySelectorAll('details').forEach((each, at) => (each.open = open[at] || false));
  }

  function offer(part, fresh) {
    const newer = [...fresh.querySelectorAll('tbody tr[id]')].filter((row) => !document.getElementById(row.id)).length;
    let button = part.querySelector('button[data-newer]');
    if (newer === 0) return;
    if (!button) {
      button = document.createElement('button');
      button.type = 'button';
      button.dataset.newer = '';
      part.prepend(button);
    }
    button.textContent = fill(said.newer, { newer });
    button.onclick = () => {
      const shown = waiting.get(part.id) || fresh;
      waiting.delete(part.id);
      put(part, shown);
      const heading = shown.querySelector('h2');
      if (heading) {
        heading.tabIndex = -1;
        heading.focus();
      }
    };
    waiting.set(part.id, fresh);
  }

  function swap(page) {
    for (const fresh of page.querySelectorAll('[data-part]')) {
      const part = document.getElementById(fresh.id);
      if (!part) continue;
      localTimes(fresh);
      if (part.outerHTML === fresh.outerHTML) continue;
      if (fresh.dataset.grows !== undefined && part.querySelector('tbody')) offer(part, fresh);
      else if (isHeld(part)) waiting.set(part.id, fresh);
      else put(part, fresh);
    }
    document.title = page.title;
    const heard = page.getElementById('say');
    if (say && heard && heard.dataset.key !== say.dataset.key) {
      say.dataset.key = heard.dataset.key;
      say.textContent = heard.textContent;
    }
    const live = page.getElementById('main').dataset.live;
    if (!live) stop();
  }

  setInterval(() => {
    for (const [id, fresh] of waiting) {
      const part = document.getElementById(id);
      if (!part || fresh.dataset.grows !== undefined || isHeld(part)) continue;
      waiting.delete(id);
      put(part, fresh);
    }
  }, 500);

  let isBusy = false;
  let isWanted = false;
  let lastAt = Date.now();
  async function refresh() {
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      if (answer.redirected && new URL(answer.url).pathname === '/sign-in') {
        tell(said.signedOut, answer.url, said.signIn);
        stop();
      } else if (answer.status === 503) tell(said.away);
      else if (answer.ok) {
        swap(new DOMParser().parseFromString(await answer.text(), 'text/html'));
        tell('');
      }
    } catch {
      tell(said.silent);
    }
    lastAt = Date.now();
    isBusy = false;
    if (isWanted) {
      isWanted = false;
      soon();
    }
  }

  let timer;
  function soon() {
    clearTimeout(timer);
    timer = setTimeout(refresh, Math.max(0, 1000 - (Date.now() - lastAt)));
  }
  const stream = new EventSource('/changes');
  const regular = setInterval(() => {
    if (!document.hidden && Date.now() - lastAt >= everyMs) refresh();
  }, 1000);
  function stop() {
    stream.close();
    clearInterval(regular);
    clearTimeout(timer);
  }
  stream.addEventListener('run', (event) => {
    if (watched === '*' || JSON.parse(event.data).run === watched) soon();
  });
  stream.addEventListener('ledger', (event) => {
    if (JSON.parse(event.data).state === 'away') tell(said.away);
    else soon();
  });
  addEventListener('pagehide', stop);
})();
