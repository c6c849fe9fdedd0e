// Checks a sender's address against the networks that may send events.
import { BlockList, isIP } from 'node:net';

const known = new WeakMap<readonly string[], BlockList>();

/** An empty list allows any. `ip` is the client's as far as it is believed: see `server.trustProxy`. */
export function isAllowed(allowFrom: readonly string[], ip: string): boolean {
  if (allowFrom.length === 0) return true;
  const list = known.get(allowFrom) ?? listOf(allowFrom);
  known.set(allowFrom, list);
  // An IPv4 client of a socket that takes both kinds.
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

function listOf(allowFrom: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of allowFrom) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
