// The schema of an SFTP source.
import { z } from 'zod';
import { count, secretText, text } from '../../core/settings/values.ts';
import { bounds, maxBytes, privateKeyFields } from '../shared-settings.ts';

export const sftpDefaults = {
  port: 22,
  timeout: 30_000,
  deadline: 3_600_000,
  attempts: 4,
  maxBytes: 8 * 1024 ** 3,
} as const;

const fingerprint = () =>
  z.string({ error: 'must be text' }).regex(/^SHA256:[A-Za-z0-9+/]{43}=?$/, {
    error: 'must be a fingerprint like SHA256:…, as `ssh-keygen -lf` shows it',
  });

export const Sftp = z
  .strictObject({
    host: text().meta({ description: 'The host.', form: 'host', example: 'sftp.example.com' }),
    port: count(1, 65_535, 2222).prefault(sftpDefaults.port).describe('The port.'),
    username: text('hr-export').describe('The user name.'),
    password: secretText().exactOptional().describe('The password.'),
    ...privateKeyFields('The private key itself, instead of a password.'),
    fingerprint: z
      .union([fingerprint().transform((one) => [one]), z.array(fingerprint()).min(1)], {
        error: 'must be a fingerprint like SHA256:…, or a list of them',
      })
      .meta({
        description: 'The key of the host, as `ssh-keygen -lf` shows it; several while it is changed.',
        form: 'text or list',
        example: 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU',
      }),
    path: text().meta({
      description: 'The file; `*` and `?` in its name stand for any text and any character.',
      form: 'path',
      example: '/out/staff-*.csv',
    }),
    ...bounds(sftpDefaults),
    maxBytes: maxBytes(sftpDefaults),
  })
  .refine(
    ({ password, privateKey, privateKeyFile }) =>
      [password, privateKey, privateKeyFile].filter((way) => way !== undefined).length === 1,
    { error: 'must have exactly one of password, privateKey and privateKeyFile' },
  );
export type SftpSource = z.output<typeof Sftp>;
