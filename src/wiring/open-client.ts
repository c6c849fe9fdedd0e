// Opens the HTTP client of the configured service.
import { type Config, requireBaseUrl } from '../../config/load.ts';
import { parseBaseUrl } from '../service/address.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import { readCredentials } from '../service/credentials.ts';
import { readVersion } from '../process/version.ts';

/**
 * The client of the configured service, with a limit of connections; the caller closes it.
 * @throws InputError when address or token are missing
 */
export async function openClient(config: Config, concurrency: number): Promise<ServiceClient> {
  const { timeoutMs, ...credentials } = config.service;
  return createServiceClient({
    baseUrl: parseBaseUrl(requireBaseUrl(config)),
    credentials: await readCredentials(credentials),
    setAt: {
      address: placesOf(config, ['service.baseUrl']),
      // A file of a token is named by itself.
      token: placesOf(config, ['service.token', 'service.username', 'service.password']),
    },
    concurrency,
    timeoutMs,
    analysis: { silenceMs: config.answers.silence, timeoutMs: config.answers.timeout },
    userAgent: `roster-sync/${readVersion()}`,
    environment: config.proxyEnvironment,
  });
}

/** Where settings are set: `roster-sync.yaml:3`, the name of a variable. */
function placesOf({ settings }: Config, names: readonly string[]): string {
  const places = settings.flatMap(({ name, value, from }) => (names.includes(name) && value !== undefined ? from : []));
  return [...new Set(places)].join(' and ');
}
