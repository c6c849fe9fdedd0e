/** What must not turn up anywhere: the token of the service, what it stands for, and the secret of a webhook. */
export const secrets = {
  token: Buffer.from('roster:open-sesame-4711').toString('base64'),
  password: 'open-sesame-4711',
  webhook: 'hook-of-the-simulated-sender',
} as const;

/** All of them. */
export const hidden: readonly string[] = Object.values(secrets);
/** As `company.ts` makes them. */
const addresses = /person\.\d+(?:\.v\d+)?@\w+\.example/i;

/** What a log or a notice must not say: a secret, or somebody's address (R12). */
export function leakIn(text: string): string | undefined {
  return hidden.find((secret) => text.includes(secret)) ?? addresses.exec(text)?.[0];
}
