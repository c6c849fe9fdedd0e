// The settings that several places have.
import { count, duration, filePath, secretText, size } from '../core/settings/values.ts';

/** Those of every place on another machine; times are in ms once read. */
export const bounds = (
  unless: { timeout: number; deadline: number; attempts: number },
  timeout = 'The longest silence: before the answer begins, or between two parts of it.',
) => ({
  timeout: duration().prefault(unless.timeout).describe(timeout),
  deadline: duration().prefault(unless.deadline).describe('The longest time for all of it.'),
  attempts: count(1, 100).prefault(unless.attempts).describe('The most attempts, for temporary errors.'),
});

export const maxBytes = (unless: { maxBytes: number }) =>
  size().prefault(unless.maxBytes).describe('The most bytes for all of it.');

export const caFile = () =>
  filePath('./company-ca.pem')
    .exactOptional()
    .describe('A PEM file with the authorities that signed the certificate of the server, if it is your own.');

/** A private key, or the file that holds it, and its passphrase. */
export const privateKeyFields = (description: string) => ({
  privateKey: secretText().exactOptional().describe(description),
  privateKeyFile: filePath('./hr.key').exactOptional().describe('A file that holds the private key.'),
  passphrase: secretText().exactOptional().describe('The passphrase of the private key.'),
});
