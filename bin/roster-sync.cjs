#!/usr/bin/env node
// Written in the oldest JavaScript that does the job, so that a Node too old for the rest still gets a clear answer.
'use strict';

var childProcess = require('child_process');
var fs = require('fs');
var path = require('path');
var url = require('url');

var root = path.join(__dirname, '..');
var source = path.join(root, 'src', 'cli', 'main.ts');
var compiled = path.join(root, 'dist', 'src', 'cli', 'main.js');
var pinned = path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

if (isNewEnough(process.versions.node)) run();
else if (fs.existsSync(pinned) && fs.realpathSync(pinned) !== fs.realpathSync(process.execPath)) runWith(pinned);
else refuse();

function isNewEnough(version) {
  var parts = version.split('.').map(Number);
  return parts[0] > 22 || (parts[0] === 22 && parts[1] >= 19);
}

/** A checkout runs its sources as they are; a package has only the compiled files. */
function run() {
  endWithParent();
  // In the package's own folder, which nobody else can write to, unlike the system's for temporary files.
  require('module').enableCompileCache(path.join(root, 'node_modules', '.cache', 'roster-sync'));
  void import(url.pathToFileURL(fs.existsSync(source) ? source : compiled).href);
}

/** Whoever kills the process that they started, in whatever way, must not leave this one sending. */
function endWithParent() {
  // What can finish its work first listens for this too (src/process/shutdown.ts).
  process.on('disconnect', function () {
    if (process.listenerCount('disconnect') === 1) process.kill(process.pid, 'SIGTERM');
  });
  if (process.channel) process.channel.unref();
  whenShellEnds(function () {
    process.emit('disconnect');
  });
}

/** npx and `npm run` pass a signal on to the shell that they start, and the shell passes it on to nobody. */
function whenShellEnds(tell) {
  var script = process.env.npm_lifecycle_script || '';
  if (script.indexOf('roster-sync') === -1 || /&\s*$/.test(script)) return;
  var shell = process.ppid;
  var timer = setInterval(function () {
    if (process.ppid === shell) return;
    clearInterval(timer);
    tell();
  }, 200);
  timer.unref();
}

function runWith(node) {
  var child = childProcess.spawn(node, [__filename].concat(process.argv.slice(2)), {
    // The channel carries nothing: its end tells the other process of the end of this one.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // A terminal sends its Ctrl-C to both processes, so that passing it on as well would count as a second one.
  var hasTerminal = [process.stdin, process.stdout, process.stderr].some(function (stream) {
    return stream.isTTY;
  });
  ['SIGINT', 'SIGTERM', 'SIGHUP'].forEach(function (signal) {
    process.on(signal, function () {
      if (signal !== 'SIGINT' || !hasTerminal) child.kill(signal);
    });
  });
  whenShellEnds(function () {
    if (child.connected) child.disconnect();
  });
  child.on('error', refuse);
  child.on('exit', function (code, signal) {
    if (signal !== null) process.removeAllListeners(signal).kill(process.pid, signal);
    else process.exit(code);
  });
}

function refuse() {
  console.error(
    'roster-sync needs Node 22.19 or later, and this is ' +
      process.versions.node +
      '. Get a current one from https://nodejs.org/en/download and run this again.',
  );
  process.exitCode = 2;
}
