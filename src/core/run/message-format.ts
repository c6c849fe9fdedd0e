// Chooses the form of the messages that a webhook gets, by its host unless one is set.

/** `slack`: Block Kit. `teams`: an Adaptive Card. `json`: for programs, with a `text` for Mattermost and the like. */
export const messageFormats = ['slack', 'teams', 'json'] as const;
export type MessageFormat = (typeof messageFormats)[number];

/**
 * The hosts of incoming webhooks and of workflows (Power Automate):
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook,
 * https://learn.microsoft.com/power-automate/ip-address-configuration
 */
const hosts: [RegExp, MessageFormat][] = [
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  [/\.webhook\.office\.com$/, 'teams'],
  [/\.logic\.azure\.(?:com|us)$/, 'teams'],
  [/(?:^|\.)(?:powerautomate|powerplatform)\.com$/, 'teams'],
];

export function formatFor({ hostname }: URL): MessageFormat {
  return hosts.find(([pattern]) => pattern.test(hostname))?.[1] ?? 'json';
}
