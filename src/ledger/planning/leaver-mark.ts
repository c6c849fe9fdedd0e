// Marks what was given to somebody who has left.
import { sql } from 'kysely';

/** Before the fingerprint of what is given to somebody as one who left: nobody who is in a roster has such a one. */
export const leaverMark = 'left:';

/** Whether a fingerprint is of what somebody was given as one who left. */
export const isOfLeaver = (fingerprint: string) => sql<boolean>`${sql.ref(fingerprint)} like ${`${leaverMark}%`}`;
