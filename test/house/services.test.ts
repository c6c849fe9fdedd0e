// The examples of services: systemd, launchd, WinSW and the Task Scheduler run commands that exist, and stop in order.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite, test } from 'node:test';
import { SaxesParser } from 'saxes';
import { wordsOf } from '../support/guide.ts';
import { problemOf } from './shown-command.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Element {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** The root of a document; what is not well-formed throws. */
function parse(xml: string): Element {
  const top: Element = { name: '', attributes: {}, text: '', children: [] };
  const open = [top];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, text: '', children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  assert.equal(top.children.length, 1);
  return top.children[0] as Element;
}

function child(element: Element, ...names: string[]): Element {
  return names.reduce((parent, name) => {
    const [only, ...others] = parent.children.filter((each) => each.name === name);
    assert.ok(only && others.length === 0, `${parent.name} has one ${name}`);
    return only;
  }, element);
}

const textOf = (element: Element, ...names: string[]): string => child(element, ...names).text.trim();

type Value = string | number | boolean | Value[] | { [key: string]: Value };

/** A value of a property list: keys and values take turns in a dictionary. */
function valueOf({ name, text, children }: Element): Value {
  switch (name) {
    case 'string':
      return text;
    case 'integer':
      assert.match(text, /^\d+$/);
      return Number(text);
    case 'true':
    case 'false':
      return name === 'true';
    case 'array':
      return children.map((each) => valueOf(each));
    case 'dict': {
      assert.equal(children.length % 2, 0, 'each key has a value');
      const pairs = children.flatMap((key, at) => {
        if (at % 2 === 1) return [];
        assert.equal(key.name, 'key');
        return [[key.text, valueOf(children[at + 1] as Element)] as const];
      });
      assert.equal(new Set(pairs.map(([key]) => key)).size, pairs.length, 'no key twice');
      return Object.fromEntries(pairs);
    }
    default:
      throw new Error(`a property list has no <${name}>`);
  }
}

/** What `.ci/bundle` puts into a folder, relative to it. */
const inBundle = ['node.exe', String.raw`app\bin\roster-sync.cjs`, 'roster-sync.cmd', 'roster-sync'];
const programs = String.raw`C:\Program Files\roster-sync` + '\\';
const data = String.raw`C:\ProgramData\roster-sync`;

function assertInBundle(path: string, folder: string): void {
  assert.ok(path.startsWith(folder), path);
  assert.ok(inBundle.includes(path.slice(folder.length)), path);
}

suite('examples of services', () => {
  test('the service of Windows runs the Node of the bundle, restarts it, and lets the calls in flight end', () => {
    const service = parse(read('examples/windows/roster-sync-service.xml'));
    assert.equal(service.name, 'service');
    assert.match(textOf(service, 'id'), /^[a-z0-9]+$/i);
    assertInBundle(textOf(service, 'executable'), programs);
    const [script = '', ...words] = wordsOf(textOf(service, 'arguments'));
    assertInBundle(script, programs);
    assert.deepEqual(words, ['serve']);
    assert.equal(problemOf(words), undefined);
    assert.equal(textOf(service, 'workingdirectory'), data);
    assert.equal(child(service, 'onfailure').attributes['action'], 'restart');
    assert.equal(textOf(service, 'stoptimeout'), '45 sec');
    assert.equal(textOf(service, 'serviceaccount', 'username'), String.raw`NT AUTHORITY\LocalService`);
    const known =
      /^(?:id|name|description|executable|arguments|workingdirectory|serviceaccount|startmode|onfailure|stoptimeout|logpath|log)$/;
    for (const { name } of service.children) assert.match(name, known);
  });

  test('the task of Windows syncs each night without a limit of time, and passes on the exit code', () => {
    const task = parse(read('examples/windows/nightly-sync.xml'));
    assert.equal(task.name, 'Task');
    assert.equal(task.attributes['xmlns'], 'http://schemas.microsoft.com/windows/2004/02/mit/task');
    // schtasks refuses a file whose encoding differs from what it says; this one says none, and is ASCII.
    assert.match(read('examples/windows/nightly-sync.xml'), /^<\?xml version="1\.0"\?>\n[\t\n -~]*$/);
    assert.match(textOf(task, 'Triggers', 'CalendarTrigger', 'StartBoundary'), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    assert.equal(textOf(task, 'Triggers', 'CalendarTrigger', 'ScheduleByDay', 'DaysInterval'), '1');
    assert.equal(textOf(task, 'Settings', 'ExecutionTimeLimit'), 'PT0S');
    assert.equal(textOf(task, 'Settings', 'MultipleInstancesPolicy'), 'IgnoreNew');
    assert.equal(textOf(task, 'Settings', 'StartWhenAvailable'), 'true');
    const principal = child(task, 'Principals', 'Principal').attributes['id'];
    assert.equal(child(task, 'Actions').attributes['Context'], principal);
    const action = child(task, 'Actions', 'Exec');
    assert.equal(textOf(action, 'WorkingDirectory'), data);
    // cmd takes one quote from each end, and the rest as it is.
    const [, line = ''] = /^\/d \/c "(".*) >> log\\sync\.log 2>&1"$/.exec(textOf(action, 'Arguments')) ?? [];
    const [program = '', ...words] = wordsOf(line);
    assertInBundle(program, programs);
    assert.ok(words.includes('--yes') && words.includes('--max-invitations'), line);
    assert.equal(problemOf(words), undefined);
  });

  test('the daemon of macOS runs the bundle, restarts it, and lets the calls in flight end', () => {
    const file = 'examples/launchd/com.example.roster-sync.plist';
    const list = parse(read(file));
    assert.equal(list.name, 'plist');
    assert.equal(list.children.length, 1);
    const daemon = valueOf(list.children[0] as Element) as Record<string, Value>;
    assert.equal(`${daemon['Label'] as string}.plist`, basename(file));
    const [program = '', ...words] = daemon['ProgramArguments'] as string[];
    assertInBundle(program, '/usr/local/lib/roster-sync/');
    assert.deepEqual(words, ['serve']);
    assert.equal(problemOf(words), undefined);
    const { Umask, ExitTimeOut, KeepAlive, RunAtLoad } = daemon;
    assert.deepEqual(
      { Umask, ExitTimeOut, KeepAlive, RunAtLoad },
      {
        Umask: 0o077,
        ExitTimeOut: 45,
        KeepAlive: true,
        RunAtLoad: true,
      },
    );
    const known =
      /^(?:Label|ProgramArguments|WorkingDirectory|UserName|Umask|RunAtLoad|KeepAlive|ThrottleInterval|ExitTimeOut|Standard(?:Out|Error)Path)$/;
    for (const key of Object.keys(daemon)) assert.match(key, known);
  });

  test('none of them, nor those of systemd, holds a secret, and each waits for the calls in flight', () => {
    const files = globSync('examples/{systemd,windows,launchd}/*', { cwd: root });
    assert.ok(files.length >= 5);
    for (const file of files) {
      assert.doesNotMatch(read(file), /(?:TOKEN|PASSWORD)["<]?\s*[=:]\s*["']?\w/i, file);
      if (!file.endsWith('nightly-sync.xml')) assert.match(read(file), /\b45\b/, file);
    }
  });

  test('systemd starts them again however long a server is away', () => {
    for (const file of globSync('examples/systemd/*', { cwd: root }))
      assert.match(
        read(file),
        /^\[Unit\]\n(?:[^[]+\n)?StartLimitIntervalSec=0\n[^[]*\[Service\]\n[^[]*Restart=always\nRestartSec=10\n/m,
        file,
      );
  });

  test('systemd lets them write where files are kept while they are read', () => {
    for (const file of globSync('examples/systemd/*.service', { cwd: root }))
      assert.match(read(file), /^ProtectSystem=strict\n(?:#.*\n)*PrivateTmp=true$/m, file);
  });

  test('docs/deploy.md names every one of them, and what it names exists', () => {
    const text = read('docs/deploy.md');
    for (const file of globSync('examples/{systemd,windows,launchd}/*', { cwd: root }))
      assert.ok(text.includes(file.replaceAll('\\', '/')), file);
    // The lines for Windows: the program stands in quotes.
    const shown = [...text.matchAll(/^"[^"\n]*\\roster-sync\.cmd" (.+)$/gm)].map(([, line = '']) => wordsOf(line));
    assert.ok(shown.length > 0);
    for (const words of shown) assert.equal(problemOf(words), undefined, words.join(' '));
    const named = [...text.matchAll(/examples[\\/](?:windows|launchd)[\\/][\w.-]+\w/g)].map(([file]) => file);
    assert.ok(named.length >= 3);
    for (const file of named) assert.ok(read(file.replaceAll('\\', '/')) !== '', file);
  });
});
