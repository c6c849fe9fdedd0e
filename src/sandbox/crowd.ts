// Enrols any number of made-up users.
import type { People } from './people.ts';

const countries = ['Sweden', 'Denmark', 'Ghana', 'Taiwan', 'France'];

/** Enrols a number of made-up users, each in two of some fifty groups. */
export function enrolCrowd(people: People, count: number): void {
  for (let at = 0; at < count; at += 1) {
    const country = countries[at % countries.length] ?? '';
    const fields = {
      firstname: `First${at}`,
      lastname: `Last${at}`,
      email: `user${at}@sandbox.example`,
      telephone: `+00 555 ${at}`,
      country,
      city: `City ${at % 100}`,
    };
    people.assign(fields, [`Department ${at % 47}`, country]);
  }
}
