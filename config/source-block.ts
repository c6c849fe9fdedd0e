// Writes a proposed source, or a whole config, as YAML.
import { stringify } from 'yaml';
import type { Proposal } from '../src/core/inspect/proposal.ts';
import type { Proposed } from '../src/core/inspect/proposed.ts';
import type { MappingRules } from '../src/core/mapping/mapping-rules.ts';
import { sentences } from '../src/core/words/say.ts';

function inline(value: unknown): string {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trim();
  // A text with line breaks would go on at the margin.
  return text.includes('\n') ? JSON.stringify(value) : text;
}

/** What is not in force is in a comment; a note follows. Notes hold what a roster says, on one line. */
function line(indent: string, text: string, { note, isOff }: Proposed<unknown>): string {
  const remark = note === undefined || note === '' ? '' : ` # ${note.replaceAll(/[\r\n\u0085\u2028\u2029]/g, ' ')}`;
  return `${indent}${isOff ? '# ' : ''}${text}${remark}`;
}

function list<Rule>(key: string, items: readonly Proposed<Rule>[]): string[] {
  if (items.length === 0) return [];
  const isOff = items.every((item) => item.isOff);
  return [
    line('', `${key}:`, { rule: key, isOff }),
    ...items.map((item) => line('  ', `- ${inline(item.rule)}`, item)),
  ];
}

export function writeReadBlock(read: object, passwordFile?: string): string[] {
  return [
    ...(passwordFile === undefined ? [] : [`passwordFile: ${inline(passwordFile)}`]),
    ...(Object.keys(read).length > 0 ? [`read: ${inline(read)}`] : []),
  ];
}

/** To be pasted under its name, without indentation; with what somebody has decided about values and names of groups. */
export function writeSourceBlock(
  { members, only, except, groups, domains }: Proposal,
  { rename = {}, allow = {} }: Pick<MappingRules, 'rename' | 'allow'> = {},
): string[] {
  const { values = [], groups: allowedGroups = {} } = allow;
  const allows = Object.entries({ values, groups: allowedGroups }).filter(([, each]) => Object.keys(each).length > 0);
  const fields = members.map(([field, proposed]) => line('  ', `${field}: ${inline(proposed.rule)}`, proposed));
  const allowed = domains.filter(({ isOff }) => !isOff).map(({ rule }) => rule);
  const others = domains.filter(({ isOff }) => isOff).map(({ rule, note }) => `${rule} (${note})`);
  const note = others.length > 0 ? `not among them: ${others.join(', ')}` : 'other addresses are rejected';
  const isOff = members.every(([, { isOff }]) => isOff);
  const lines = [
    ...(fields.length > 0 ? [line('', 'members:', { rule: '', isOff }), ...fields] : []),
    ...list('only', only),
    ...list('except', except),
    ...list('groups', groups),
  ];
  if (Object.keys(rename).length > 0) lines.push(`rename: ${inline(rename)}`);
  if (allowed.length + allows.length > 0) lines.push('allow:');
  for (const [key, each] of allows) lines.push(`  ${key}: ${inline(each)}`);
  if (allowed.length > 0) lines.push(line('  ', `emails: ${inline({ domains: allowed })}`, { rule: '', note }));
  else if (others.length > 0) {
    const all = inline({ emails: { domains: domains.map(({ rule }) => rule) } });
    lines.push(line('', `allow: ${all}`, { rule: '', isOff: true, note: 'which of these are yours?' }));
  }
  return lines;
}

/** A part of a config that is written for somebody. */
const linesOf = (part: string): string[] => (sentences()[`config-${part}`] ?? '').split('\n');

/** For a folder that has none. `schema`: where editors find it, as seen from the config: a path, or a URL. */
export function writeConfig(
  source: { name: string; file: string; block: readonly string[] } | undefined,
  { schema, timezone = 'UTC' }: { schema?: string | undefined; timezone?: string } = {},
): string {
  const top = schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`, '#'];
  const head = [...top, ...linesOf('head'), ''];
  if (!source) return [...head, ...linesOf('without-source'), ''].join('\n');
  const { name, file, block } = source;
  return [
    ...head,
    '# Proposed from the file: look at every line before the first run. `roster-sync inspect` shows the result.',
    'sources:',
    `  ${inline(name)}:`,
    `    file: ${inline(file)}`,
    ...[...block, ...nightlyLines(block, timezone)].map((text) => (text === '' ? '' : `    ${text}`)),
    '',
    ...linesOf('notify'),
    '',
  ].join('\n');
}

/** For files of which the longest time between two is `gap`, in days. */
export function datedLines(gap: number): string[] {
  return [
    'settle: 10s # the newest file is read once it has not grown for ten seconds',
    `maxAge: ${gap * 24 + 12}h # an older file is not read: the next one is missing`,
    'snapshot: true # does each file hold everybody? Then people no longer in it have left; if not, remove this line',
  ];
}

/** Each line is a setting once its first `# ` is gone. For the end of a source whose lines are `block`. */
export function nightlyLines(block: readonly string[], timezone: string): string[] {
  const past = block.find((line) => line.includes('past: true')) ?? '{ column: Termination Date, past: true }';
  const left = past.slice(past.indexOf('{'), past.indexOf('}', past.lastIndexOf('past: true')) + 1);
  const allows = block.includes('allow:');
  return [
    ...(allows && !block.some((line) => line.startsWith('  groups: '))
      ? ['  # groups: { except: [Administrators] } # groups that nobody may be put into, whatever a cell says']
      : allows || block.some((line) => line.startsWith('# allow:'))
        ? []
        : ['# allow: { emails: { domains: [example.com] } } # other addresses are rejected']),
    '',
    '# For every night, take away the # of what you want (docs/schedule.md#every-night).',
    `# schedule: { cron: '15 2-8 * * *', timezone: ${timezone} } # when \`roster-sync serve\` reads it`,
    ...(block.some((line) => line.startsWith('snapshot:')) ? [] : linesOf('files')),
    `# leavers: [${left}] # rows of people who have left`,
    '# departed: { group: Leavers, after: 2 } # the group that people who left are put into',
    '# invites: { perDay: 200 } # the most people who are invited in a day; the others wait',
    ...(block.some((line) => line === 'only:' || line === 'except:')
      ? []
      : ['# everybody: true # send also people whom a column calls terminated or blocked; or write only: or except:']),
  ];
}
