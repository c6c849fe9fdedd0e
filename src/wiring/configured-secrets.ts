// Collects every secret of the config, for redaction.
import type { Config } from '../../config/load.ts';
import { type Redact, redactorOf, Secret } from '../core/secrets/secret.ts';
import { isWeakSecret } from '../core/secrets/secret-forms.ts';
import { secretsOfSecretUrl, secretsOfUrl, decoded } from '../core/secrets/secret-parts.ts';
import { secretsOfSource } from '../roster/places.ts';

/** Settings that are no secret in most configs, though they may hold one: parameters, headers, what presets are told. */
const open = /\.(?:query|headers|account)\.[^.]*$/;
const named = /key|token|secret|pass|auth|signature/i;

/** Every secret that a config holds, with the setting that it is in: `sources.staff.http.auth.basic.password`. */
function configuredSecrets({ service, sources, notify, server, redisUrl, databaseUrl }: Config) {
  const found: { setting: string; secret: Secret }[] = [];
  const walk = (value: unknown, setting: string): void => {
    if (value instanceof Secret) found.push({ setting, secret: value });
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) walk(inner, setting === '' ? key : `${setting}.${key}`);
    }
  };
  walk({ service, sources, notify, server, redisUrl, databaseUrl }, '');
  return found;
}

/** Takes everything that is secret in a config out of a text. A secret that is the name of a source stays that name. */
export function redactorOfConfig(config: Config): Redact {
  const { service, sources, notify } = config;
  const { username, password } = service;
  const made = new Secret(Buffer.from(`${username}:${password?.reveal()}`).toString('base64'));
  const secretUrls = [notify.webhook, notify.heartbeat].filter((url) => url !== undefined);
  const single = configuredSecrets(config).flatMap(({ setting, secret }) => {
    if (URL.canParse(secret.reveal()) && secret.reveal().includes('://')) return secretsOfUrl(secret.reveal());
    // What of these is secret, the source says itself.
    return open.test(setting) ? [] : [secret];
  });
  return redactorOf(
    [
      ...single,
      ...(password ? [made] : []),
      ...secretUrls.flatMap((url) => secretsOfSecretUrl(url.reveal())),
      ...Object.values(sources).flatMap(secretsOfSource),
    ],
    Object.keys(sources),
  );
}

/** The settings whose secrets are so short, or such common words, that they cannot be hidden wherever they turn up. */
export function weakSecrets(config: Config): string[] {
  return configuredSecrets(config)
    .filter(({ setting, secret }) => {
      const text = secret.reveal();
      if (text.includes('://') && URL.canParse(text)) {
        const { password } = new URL(text);
        return password !== '' && isWeakSecret(decoded(password));
      }
      return (!open.test(setting) || named.test(setting.slice(setting.lastIndexOf('.') + 1))) && isWeakSecret(text);
    })
    .map(({ setting }) => setting);
}
