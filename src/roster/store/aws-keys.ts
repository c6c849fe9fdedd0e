// Finds the keys of an S3 source that names none: those of the machine, container, service account or profile.
import { refusal } from '../../core/words/say.ts';
import type { S3Source } from '../../../config/store-schema.ts';
import { defined } from '../../core/defined.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { quote } from '../../core/text/quote.ts';
import { missingPackage } from '../missing-package.ts';

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: Secret;
  sessionToken?: Secret;
}

/** Installed by who needs it, since it brings 16 MB along; so only what is used of it is known here. */
const sdk: string = '@aws-sdk/credential-providers';
interface Sdk {
  fromNodeProviderChain(
    options: object,
  ): () => Promise<{ accessKeyId: string; secretAccessKey: string; sessionToken?: string }>;
}

/** The kit would write to the console. */
const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Throws an `InputError` where there are none. The kit reads the environment and the files of AWS by itself. */
export async function awsKeys(source: S3Source, name: string): Promise<AwsKeys> {
  const { accessKeyId, secretAccessKey, sessionToken, region } = source;
  if (accessKeyId !== undefined && secretAccessKey !== undefined) {
    return { accessKeyId, secretAccessKey, ...defined({ sessionToken }) };
  }
  const { fromNodeProviderChain } = (await import(sdk).catch((error: unknown) => {
    throw missingPackage(error, `${sdk}@3`, `${name}: s3 without accessKeyId and secretAccessKey`);
  })) as Sdk;
  try {
    const found = await fromNodeProviderChain({ clientConfig: { region }, maxRetries: 3, logger: silent })();
    return {
      accessKeyId: found.accessKeyId,
      secretAccessKey: new Secret(found.secretAccessKey),
      ...defined({ sessionToken: found.sessionToken === undefined ? undefined : new Secret(found.sessionToken) }),
    };
  } catch (error) {
    const said = error instanceof Error ? quote(error.message, 200) : '';
    throw refusal('noAwsKeys', { name, said }, { cause: error });
  }
}
