// Which addresses belong to the public internet. A webhook's URL comes from a client, and must not reach what only this machine or its
// network can.
import { BlockList, isIP } from "node:net";

const V4_RESERVED: [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Inside of 2000::/3: those that stand for other addresses, and documentation. */
const V6_RESERVED: [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const reserved = new BlockList();
for (const [network, prefix] of V4_RESERVED) reserved.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of V6_RESERVED) reserved.addSubnet(network, prefix, "ipv6");
const unicast = new BlockList();
unicast.addSubnet("2000::", 3, "ipv6");

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved.check(address, "ipv4");
  // Everything outside of it, IPv4 in the form of IPv6 included, is for special use.
  return family === 6 && unicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
}
