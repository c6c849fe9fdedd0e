/** An address that can be told from others but not used: `a***@example.com`. Other texts are masked whole. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at > 0 ? `${first}***${address.slice(at)}` : '***';
}

/** The first character of an address, the rest before its `@`, and that where a domain follows. */
const within = /([^\s@"'<>(),;:\\])[^\s@"'<>(),;:\\]*@(?=[\p{L}\p{N}[])/gu;

/** Masks every address within a text: `jane@example.com` becomes `j***@example.com`. */
export function maskAddresses(text: string): string {
  return text.replaceAll(within, (_, first: string) => `${first}***@`);
}
