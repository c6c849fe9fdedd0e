// Folds a word to the form in which words are compared.

/** Composed, in small letters, Romanian's comma below as the cedilla that Windows-1250 has in its place. */
export function fold(word: string): string {
  return word.normalize('NFC').replaceAll('İ', 'i').toLowerCase().replaceAll('ș', 'ş').replaceAll('ț', 'ţ');
}
