import { createServer } from 'node:http';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAtExit } from '../../support/server-process.ts';

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Plays what gives out keys on machines of AWS: for containers, for machines, and STS for service accounts. */
export async function startAws({ accessKeyId, secretAccessKey }: Keys) {
  const asked: string[] = [];
  const Expiration = new Date(Date.now() + 3_600_000).toISOString();
  const json = JSON.stringify({
    ...{
      Code: 'Success',
      AccessKeyId: accessKeyId,
      SecretAccessKey: secretAccessKey,
      Token: 'session-word',
      Expiration,
    },
  });
  const credentials = `<AccessKeyId>${accessKeyId}</AccessKeyId><SecretAccessKey>${secretAccessKey}</SecretAccessKey><SessionToken>session-word</SessionToken><Expiration>${Expiration}</Expiration>`;
  const answers: Readonly<Record<string, string>> = {
    'GET /container': json,
    'PUT /latest/api/token': 'token-word',
    'GET /latest/meta-data/iam/security-credentials/': 'reader',
    'GET /latest/meta-data/iam/security-credentials/reader': json,
    'POST /': `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleWithWebIdentityResult><Credentials>${credentials}</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
  };
  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`;
    asked.push(`${line} ${request.headers.authorization ?? ''}`.trim());
    const isXml = request.method === 'POST';
    response.setHeader('content-type', isXml ? 'text/xml' : 'application/json');
    response.statusCode = line in answers ? 200 : 404;
    response.end(answers[line]);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'rs-aws-'));
  removeAtExit(folder);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const profile = `[reader]\naws_access_key_id=${accessKeyId}\naws_secret_access_key=${secretAccessKey}\n`;
  /** By where the keys come from, the environment that says so. */
  const environments = {
    environment: { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    profile: { AWS_PROFILE: 'reader', AWS_SHARED_CREDENTIALS_FILE: file('credentials', profile) },
    container: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'container-word',
    },
    machine: { AWS_EC2_METADATA_SERVICE_ENDPOINT: url, AWS_EC2_METADATA_DISABLED: 'false' },
    'service account': {
      AWS_ENDPOINT_URL_STS: url,
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/reader',
      AWS_WEB_IDENTITY_TOKEN_FILE: file('token', 'identity-word'),
    },
  };
  /** Runs with one of them, and with nothing else of AWS. */
  const within = async <T>(environment: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> => {
    const before = { ...process.env };
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    const nothing = join(folder, 'nothing');
    Object.assign(process.env, {
      ...{ AWS_EC2_METADATA_DISABLED: 'true', AWS_CONFIG_FILE: nothing, AWS_SHARED_CREDENTIALS_FILE: nothing },
      ...environment,
    });
    try {
      return await work();
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      Object.assign(process.env, before);
    }
  };
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { asked, environments, within, stop };
}
