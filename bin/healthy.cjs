// Whether the `serve`, `worker` or `sandbox` that a container runs is ready: the HEALTHCHECK of the Dockerfile, which has no curl.
'use strict';

var fs = require('fs');

// The first process of a container is ours, or an init with our words behind its own.
var words = fs.readFileSync(process.argv[2] || '/proc/1/cmdline', 'utf8').split('\0');
var paths = { serve: '/readyz', worker: '/readyz', sandbox: '/_sandbox/stats' };
var ports = { serve: '8080', sandbox: '4100' };
var command = commandOf(words);
var port = valueOf('--port') || ports[command];

// Any other command, and a worker that answers on no port, is healthy as long as it runs.
if (command !== undefined && port) ask('http://127.0.0.1:' + port + paths[command]);

/**
 * The command that runs, if it answers on a port: the first word that no option may have taken as its value, or one of ours before
 * that. So `import --source serve` is an import.
 */
function commandOf(given) {
  var begin = given.findIndex(function (word) {
    return /roster-sync(\.cjs)?$/.test(word);
  });
  for (var at = begin + 1; at < given.length; at += 1) {
    if (given[at].indexOf('-') === 0) continue;
    if (Object.hasOwn(paths, given[at])) return String(given[at]);
    if (given[at - 1].indexOf('-') !== 0) return undefined;
  }
  return undefined;
}

/** What an option was given, as `--port 80` or `--port=80`. */
function valueOf(option) {
  var at = words.indexOf(option);
  if (at !== -1) return String(words[at + 1]);
  var joined = words.filter(function (word) {
    return word.indexOf(option + '=') === 0;
  })[0];
  return joined ? String(joined.slice(option.length + 1)) : '';
}

function ask(url) {
  fetch(url, { signal: AbortSignal.timeout(4000) })
    .then(function (response) {
      return response.text().then(function (text) {
        console.log(text.slice(0, 1000));
        process.exitCode = response.ok ? 0 : 1;
      });
    })
    .catch(function (error) {
      console.log(String(error.cause || error));
      process.exitCode = 1;
    });
}
