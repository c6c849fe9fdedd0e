// The types of sources in object storage: S3 and Azure Blob.
import type { Secret } from '../secrets/secret.ts';

interface StoreLimits {
  /** The object; `*` and `?` in its name stand for any text and any character. */
  path: string;
  /** Where the storage is, if it is not that of the maker's cloud. */
  endpoint?: string;
  /** Times in ms, as for HTTP. */
  timeout: number;
  deadline: number;
  attempts: number;
  maxBytes: number;
}

/** Objects in S3, or in storage that speaks as S3 does. */
export interface S3Source extends StoreLimits {
  bucket: string;
  region: string;
  /** Whether the bucket is in the path instead of in the name of the host. */
  pathStyle?: boolean;
  accessKeyId: string;
  secretAccessKey: Secret;
  sessionToken?: Secret;
}

/** Objects in Azure Blob storage; exactly one of `sas` and `key`. */
export interface AzureBlobSource extends StoreLimits {
  account: string;
  container: string;
  /** A shared access signature: the parameters after the `?`. */
  sas?: Secret;
  /** A key of the account, in Base64. */
  key?: Secret;
}

/** What holds where the config says nothing. */
export const storeDefaults = {
  timeout: 120_000,
  deadline: 3_600_000,
  attempts: 6,
  maxBytes: 2 * 1024 ** 3,
} as const satisfies Partial<StoreLimits>;
