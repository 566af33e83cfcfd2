// Which addresses belong to the public internet: not this machine, not its network, not the services that a cloud offers to its own
// machines. A URL from a client or an agent may lead to no other.
import { BlockList, isIP } from "node:net";

const SPECIAL_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 " +
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
/** Networks inside 2000::/3 that stand for other addresses, and documentation. */
const SPECIAL_V6 = "2001::/23 2001:db8::/32 2002::/16 3fff::/20";

const special = new BlockList();
fill(special, SPECIAL_V4, "ipv4");
fill(special, SPECIAL_V6, "ipv6");
const unicast = new BlockList();
fill(unicast, "2000::/3", "ipv6");

/** Returns false for a text that is not an address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, "ipv4");
  // Everything outside of 2000::/3, IPv4 written as IPv6 included, is for special use.
  return family === 6 && unicast.check(address, "ipv6") && !special.check(address, "ipv6");
}

function fill(list: BlockList, networks: string, family: "ipv4" | "ipv6"): void {
  for (const network of networks.split(" ")) {
    const [address = "", prefix = ""] = network.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
}
