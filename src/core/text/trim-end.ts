// Removes repeated signs from the end of a text, in linear time.

/** A text without the signs at its end that equal `sign`, however many there are. A pattern (`/=+$/`) would look at runs of them again and again. */
export function trimSign(text: string, sign: string): string {
  let end = text.length;
  while (text[end - 1] === sign) end--;
  return text.slice(0, end);
}
