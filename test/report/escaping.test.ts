import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { RosterForm } from '../../src/core/rows/row.ts';
import { renderPlan } from '../../src/report/terminal/render-plan.ts';
import { renderRun } from '../../src/report/terminal/render-result.ts';
import { renderRuns } from '../../src/report/terminal/render-runs.ts';
import { examplePlan, exampleReport, plain } from './examples.ts';

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const dangerous = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const evil = fc.constantFrom('\u001b[2J', '\u202e', '\u2066', '\r', '\n', '\u009b1m', '\u200f', '\u0007');
const text = fc.tuple(fc.string(), evil, fc.string()).map((parts) => parts.join(''));

test('R12 nothing from a roster or the service brings a control or bidirectional character into a text', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 120 }), (value, width) => {
      const style = { ...plain, width };
      const reject = { file: value, line: 1, cells: [value], column: value, value, reason: value };
      const member = { firstname: value, lastname: value, email: value, telephone: value, groups: [value, value] };
      const form: RosterForm = {
        ...{ file: value, format: 'csv', encoding: value, delimiter: value, header: [], newline: '\n' },
        ...{ headerLine: 1, notes: [] },
      };
      const plan = examplePlan({
        service: value,
        source: value,
        form,
        columns: [{ column: value, field: value }],
        groups: [{ group: value, adds: 1 }],
        samples: [member],
        rate: value,
        rejectSamples: [reject],
      });
      const report = exampleReport({
        source: value,
        service: value,
        trigger: value,
        groups: [{ group: value, calls: 1, inserts: 1, warnings: 1, succeeded: 0, failures: 1 }],
        statusReason: value,
        rejectsFile: value,
        rejectSamples: [reject],
        problems: [{ outcome: 'failed', reason: value, count: 1, example: value }],
      });
      for (const shown of [
        renderPlan(plan, style, { verbose: true }),
        renderRun(report, style),
        renderRuns([report], style),
      ]) {
        assert.doesNotMatch(shown, dangerous);
      }
    }),
  );
});

test('R12 a value cannot forge a line of the result', () => {
  const problems = [
    { outcome: 'failed', reason: 'bad\nNext:     no rejects; all is well', count: 1, example: 'a' } as const,
  ];
  const text = renderRun(exampleReport({ problems }), plain);
  assert.equal(text.split('\n').filter((line) => line.startsWith('Next:')).length, 1);
});
