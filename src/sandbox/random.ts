// Draws repeatable random numbers from a seed.

/**
 * A number in [0, 1) drawn from a seed and the things it is drawn for: the same arguments always give the same number,
 * whatever was drawn before, so that concurrent calls in any order leave a sandbox in the same state.
 * FNV-1a over the parts, then the finaliser of MurmurHash3 (both public domain).
 */
export function draw(seed: number, ...parts: readonly (string | number)[]): number {
  return word(seed, parts) / 4_294_967_296;
}

/** 32 hexadecimal characters, drawn like `draw`: the form of the envelope's `hash`. */
export function drawHash(seed: number, sequence: number): string {
  let hash = '';
  for (let part = 0; part < 4; part += 1)
    hash += word(seed + part, [sequence])
      .toString(16)
      .padStart(8, '0');
  return hash;
}

function word(seed: number, parts: readonly (string | number)[]): number {
  let hash = Math.imul(0x811c9dc5 ^ seed, 0x01000193);
  for (const part of parts) {
    if (typeof part === 'number') hash = Math.imul(hash ^ part, 0x01000193);
    else for (let at = 0; at < part.length; at += 1) hash = Math.imul(hash ^ part.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 0x1f, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
