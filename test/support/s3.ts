import { existsSync, mkdtempSync, readFileSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import S3rver from 's3rver';
import { eventually } from './cli.ts';
import { removeAtExit } from './server-process.ts';

/** What s3rver takes as an account. */
export const s3Account = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Storage that speaks as S3 does, with one bucket, for this process only. */
export interface TestS3 {
  endpoint: string;
  /** Keeps an object, of now or of another time; times have whole seconds. */
  put(key: string, text: string, at?: Date): Promise<void>;
  stop(): Promise<void>;
}

/** Starts an s3rver with a bucket of this name. */
export async function startS3(bucket: string): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'rs-s3-'));
  removeAtExit(directory);
  const server = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory },
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new AwsClient({ ...s3Account, service: 's3', region: 'us-east-1' });
  return {
    endpoint,
    async put(key, text, at) {
      const response = await client.fetch(`${endpoint}/${bucket}/${encodeURIComponent(key).replaceAll('%2F', '/')}`, {
        method: 'PUT',
        body: text,
      });
      if (!response.ok) throw new Error(`S3 answered ${response.status}: ${await response.text()}`);
      // s3rver answers before it has written the object.
      const file = join(directory, bucket, `${key}._S3rver_object`);
      await eventually(`${key} is kept`, () => existsSync(file) && readFileSync(file, 'utf8') === text);
      if (at) utimesSync(file, at, at);
    },
    stop: () => server.close(),
  };
}
