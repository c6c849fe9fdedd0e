// Checks the filters of settings before a directory is asked.
import { FilterParser } from 'ldapts';
import { InputError } from '../../core/errors.ts';
import { quote } from '../../core/text/quote.ts';

/**
 * Refuses a filter that is none (RFC 4515): the library finds that only while it searches, and it would look like trouble
 * that may pass. Throws an `InputError`.
 * @param setting for the message: `ldap.filter`
 */
export function checkFilter(filter: string, setting: string, name: string): void {
  try {
    FilterParser.parseString(filter);
  } catch (error) {
    // The library repeats the filter after a colon.
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split(/:| in filter/);
    throw new InputError(
      `${name}: ${setting} is ${quote(filter)}, which is not an LDAP filter (${why.toLowerCase()}). Correct it, such as (&(objectClass=person)(mail=*)).`,
      { cause: error },
    );
  }
}
