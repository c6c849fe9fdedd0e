// The commented lines that `init` writes for a nightly source and for notifications.

/** Each line is a setting once its first `# ` is gone. For the end of a source whose lines are `block`. */
export function nightlyLines(block: readonly string[], timezone: string): string[] {
  const past = block.find((line) => line.includes('past: true')) ?? '{ column: Termination Date, past: true }';
  const left = past.slice(past.indexOf('{'), past.indexOf('}', past.lastIndexOf('past: true')) + 1);
  const allows = block.includes('allow:');
  return [
    ...(allows
      ? ['  # groups: { except: [Administrators] } # groups that nobody may be put into, whatever a cell says']
      : block.some((line) => line.startsWith('# allow:'))
        ? []
        : ['# allow: { emails: { domains: [example.com] } } # other addresses are rejected']),
    '',
    '# For every night, take away the # of what you want (docs/operations.md#every-night).',
    `# schedule: { cron: '15 2-8 * * *', timezone: ${timezone} } # when \`roster-sync serve\` reads it`,
    '# maxAge: 36h # an older export is not read: the one of last night is missing',
    '# snapshot: true # each file holds everybody: people no longer in it have left',
    `# leavers: [${left}] # rows of people who have left`,
    '# departed: { group: Leavers, after: 2 } # the group that people who left are put into',
    '# invites: { perDay: 200 } # the most people who are invited in a day; the others wait',
    ...(block.some((line) => line === 'only:' || line === 'except:')
      ? []
      : ['# everybody: true # send also people whom a column calls terminated or blocked; or write only: or except:']),
  ];
}

export const notifyLines: readonly string[] = [
  '# notify:                           # who is told when a run is held or fails; `roster-sync doctor --notify` tries it',
  '#   webhook: ${SLACK_URL}           # an incoming webhook of Slack, Mattermost or your own program',
  '#   smtp: smtps://robot:${MAIL_PASSWORD}@mail.example.com',
  '#   from: roster-sync@example.com',
  '#   to: [it@example.com]',
];
