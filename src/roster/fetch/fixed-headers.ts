// Builds the headers that every request of an HTTP source has.
import type { HttpSource } from '../source-location.ts';
import { InputError } from '../../core/errors.ts';
import { escapeText } from '../../core/text/escape.ts';
import { basicToken } from './http-auth.ts';

/** RFC 9110, 5.5 and 5.6.2. */
const headerText = /^[\t\x20-\x7e\x80-\xff]*$/;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Those of the settings, and what signs in with a password or a fixed token. Throws an `InputError` for one that cannot be sent. */
export function fixedHeaders({ auth = {}, headers = {} }: HttpSource, name: string): Record<string, string> {
  const fixed: Record<string, string> = { accept: 'application/json, text/csv;q=0.9, */*;q=0.8' };
  for (const [header, value] of Object.entries(headers)) fixed[header.toLowerCase()] = value.reveal();
  if (auth.basic) fixed['authorization'] = `Basic ${basicToken(auth.basic.username, auth.basic.password).reveal()}`;
  if (auth.bearer) fixed['authorization'] = `Bearer ${auth.bearer.reveal()}`;
  for (const [header, value] of Object.entries(fixed)) {
    if (!headerText.test(value) || !headerName.test(header)) {
      throw new InputError(`${name}: the header ${escapeText(header)} has a character that no header may have.`);
    }
  }
  return fixed;
}
