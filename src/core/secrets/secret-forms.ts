// Lists the forms in which a secret can appear, and the words too common to redact.

/** A shorter password is redacted only if it is a whole value: elsewhere it may be an ordinary word. */
const shortest = 8;
/** Shorter secrets are redacted only within `user:password`. */
const leastAlone = 4;

/**
 * Words that people take for passwords, and our own words in messages, logs and JSON. Hidden wherever they
 * stand they would spoil every line and, worse, tell what the secret is.
 */
const words = new Set(
  [
    'password password1 password12 password123 passw0rd p@ssw0rd p@ssword passwort passwort1 wachtwoord adgangskode',
    'changeme changeit change-me letmein1 welcome1 welcome123 iloveyou football baseball sunshine princess superman',
    'trustno1 starwars whatever computer internet administrator test1234 testtest secret123 topsecret supersecret',
    '12345678 123456789 1234567890 87654321 11111111 00000000 qwertyui qwertyuiop qwerty123 qwertz123 1q2w3e4r 1qaz2wsx',
    'abcd1234 abcdefgh asdfghjk asdfasdf zxcvbnm1 aaaaaaaa username roster-sync rostersync employee employees personio',
    'bamboohr workday1 sandbox1 customer customers schedule scheduled delivery deliveries delivered delivering planning',
    'finished cancelled interrupted undelivered succeeded rejected unchanged departed existing invitation invitations',
    'response request1 accepted throttled unrecognised forbidden unauthorized expired1 application application/json',
    'text/csv basic-auth authorization something anything nothing1 everybody directory database postgres localhost',
    'telephone firstname lastname forename department location language settings notification webhooks terminal',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a secret is short or a common word, so that it cannot be told from other text. */
export function isWeakSecret(value: string): boolean {
  return value.length < shortest || words.has(value.toLowerCase());
}

/** Whether a secret is too short to be hidden outside of a pair. */
function isTooShortToHide(value: string): boolean {
  return value.length < leastAlone;
}

/**
 * The forms in which a secret may turn up: as it is, in both Base64 alphabets with and without padding; of a Basic token, the
 * pair it stands for and the password, read as UTF-8 and as Latin-1.
 */
export function formsOf(secret: string): string[] {
  const forms = new Set([secret, Buffer.from(secret, 'utf8').toString('latin1')]);
  const addBase64 = (bytes: Buffer): void => {
    const padded = bytes.toString('base64');
    for (const form of [padded, padded.replaceAll('=', ''), bytes.toString('base64url')]) forms.add(form);
  };
  if (!isWeakSecret(secret)) addBase64(Buffer.from(secret));
  const pair = pairIn(secret);
  if (pair) {
    addBase64(pair);
    for (const encoding of ['utf8', 'latin1'] as const) {
      const text = pair.toString(encoding);
      forms.add(text).add(text.slice(text.indexOf(':') + 1));
    }
  }
  return [...forms].filter((form) => !isTooShortToHide(form));
}

/** The bytes of `user:password`, where a text is the Base64 of that. */
function pairIn(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  const written = text.replaceAll('=', '').replaceAll('-', '+').replaceAll('_', '/');
  const isPair = bytes.includes(0x3a) && bytes.toString('base64').replaceAll('=', '') === written;
  return isPair ? bytes : undefined;
}
