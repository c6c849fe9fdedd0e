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
  name: textUpTo(60, 'Example Login')
    .exactOptional()
    .describe('What the button on the sign-in page calls it; unless set, its host name.'),
  issuer: address()
    .refine((value) => URL.canParse(value) && isPrivate(value), {
      error: 'must be an address like https://login.example.com',
    })
    .meta({ example: 'https://login.example.com' })
    .describe(
      'Its address: what it says before `/.well-known/openid-configuration`. `https`, or plain `http` on this machine.',
    ),
  clientId: textUpTo(500, 'roster-sync').describe(
    'The name under which roster-sync is registered there, with `https://<host>/sign-in/callback` as the address to return to.',
  ),
  clientSecret: secretText().describe('The secret of that registration.'),
  scope: textUpTo(500)
    .refine((value) => value.split(/\s+/).includes('openid'), { error: 'must contain openid' })
    .prefault('openid profile email')
    .meta({ example: 'openid email groups' })
    .describe('What is asked for; some services give groups only for a scope of their own.'),
  claim: textUpTo(200, 'roles')
    .prefault('groups')
    .describe('The claim that decides about roles: a text, or a list of texts.'),
  roles: z
    .record(textUpTo(500), wordOf(roles), {
      error: 'must map values to roles, like { hr-team: approver }',
    })
    .prefault({})
    .meta({
      description:
        'Values of that claim and the role that each gives: `viewer`, `operator` or `approver`; of several, the one that may do most. Whoever has none of them is not let in.',
      form: 'values and their roles',
      example: { 'hr-team': 'approver' },
    }),
});
export type SignIn = z.output<typeof SignIn>;
