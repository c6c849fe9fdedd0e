// Whether an address answers well: the health check of containers, whose image has no curl. Whoever asks sets the time limit.
'use strict';

fetch(process.argv[2] || 'http://127.0.0.1:8080/readyz')
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
