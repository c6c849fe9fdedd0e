// Keeps to the limit that a server states in the headers of its answers.

/** The longest wait that such a header can ask for, ms. */
const longest = 3_600_000;

/**
 * The wait, ms, until requests are allowed again: none are left, and `x-rate-limit-reset` (seconds since 1970) says when
 * there will be, by the server's own `date`. Undefined where the headers do not say so, and where the limit itself is 0: then too many
 * requests run at once, and the time is a guess.
 * @param now the time, ms, for a server that does not say it
 */
export function rateWait(headers: Record<string, string | undefined>, now: number): number | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    wholeIn(headers[`x-rate-limit-${name}`]),
  );
  if (remaining !== 0 || reset === undefined || limit === 0) return undefined;
  const said = Date.parse(headers['date'] ?? '');
  const wait = reset * 1000 - (Number.isNaN(said) ? now : said);
  return Math.min(Math.max(wait, 0), longest);
}

/** A header that came through several hands may hold several numbers: then none counts. */
function wholeIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}
