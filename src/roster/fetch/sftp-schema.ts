// The schema of an SFTP source.
import { z } from 'zod';
import { count, oneOf, secretText, size, text } from '../../core/settings/values.ts';
import { bounds, privateKeyFields } from '../shared-settings.ts';

export const sftpDefaults = {
  port: 22,
  timeout: 30_000,
  deadline: 3_600_000,
  attempts: 4,
  maxBytes: 8 * 1024 ** 3,
} as const;

/** MD5 ones (`16:27:ac:…`) can be forged. */
const fingerprint = () =>
  z.string({ error: 'must be text' }).regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, {
    error: 'must be a fingerprint like SHA256:…, as `ssh-keygen -lf` shows it',
  });

export const Sftp = z
  .strictObject({
    host: text(),
    port: count(1, 65_535).prefault(sftpDefaults.port),
    username: text(),
    password: secretText().exactOptional(),
    ...privateKeyFields(),
    fingerprint: z.union(
      [fingerprint().transform((one) => [one]), z.array(fingerprint()).min(1, 'must have a fingerprint')],
      {
        error: 'must be a fingerprint like SHA256:…, or a list of them',
      },
    ),
    path: text(),
    ...bounds(sftpDefaults),
    maxBytes: size().prefault(sftpDefaults.maxBytes),
  })
  .superRefine(
    oneOf(
      ['password', 'privateKey', 'privateKeyFile'],
      'must have exactly one of password, privateKey and privateKeyFile',
    ),
  );
export type SftpSource = z.output<typeof Sftp>;
