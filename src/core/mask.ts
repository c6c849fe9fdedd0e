/** An address that can be told from others but not used: `a***@example.com`. Other texts are masked whole. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at > 0 ? `${first}***${address.slice(at)}` : '***';
}
