// The schema of `server.signIn`: the sign-in service of a company, by OpenID Connect.
import { z } from 'zod';
import { isLoopback } from '../src/core/host/this-machine.ts';
import { roles } from '../src/core/access/roles.ts';
import { address, secretText, wordOf, textUpTo } from '../src/core/settings/values.ts';

const isPrivate = (value: string): boolean => {
  const url = URL.parse(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
};

export const SignIn = z.strictObject({
  name: textUpTo(60).exactOptional(),
  issuer: address().refine((value) => URL.canParse(value) && isPrivate(value), {
    error: 'must be an address like https://login.example.com',
  }),
  clientId: textUpTo(500),
  clientSecret: secretText(),
  scope: textUpTo(500)
    .refine((value) => value.split(/\s+/).includes('openid'), { error: 'must contain openid' })
    .prefault('openid profile email'),
  claim: textUpTo(200).prefault('groups'),
  roles: z
    .record(textUpTo(500), wordOf(roles), {
      error: 'must map values to roles, like { hr-team: approver }',
    })
    .prefault({}),
});
export type SignIn = z.output<typeof SignIn>;
