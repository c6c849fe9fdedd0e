// The settings that several places have.
import { count, duration, filePath, secretText } from '../core/settings/values.ts';

/** Those of every place on another machine; times are in ms once read. */
export const bounds = (unless: { timeout: number; deadline: number; attempts: number }) => ({
  timeout: duration().prefault(unless.timeout),
  deadline: duration().prefault(unless.deadline),
  attempts: count(1, 100).prefault(unless.attempts),
});

/** A private key, or the file that holds it, and its passphrase. */
export const privateKeyFields = () => ({
  privateKey: secretText().exactOptional(),
  privateKeyFile: filePath().exactOptional(),
  passphrase: secretText().exactOptional(),
});
