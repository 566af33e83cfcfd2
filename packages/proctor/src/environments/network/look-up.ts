// Names to addresses, a few at a time: each look-up holds one of the few threads that this process has for files as well.
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

export interface Address {
  address: string;
  family: number;
}

/** Resolves with the addresses of a host; throws when it has none. */
export type LookUp = (host: string) => Promise<readonly Address[]>;

const AT_ONCE = 2;

let underWay = 0;
const waiting: (() => void)[] = [];

export async function lookUp(host: string): Promise<readonly Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  if (underWay >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  else underWay++;
  try {
    return await lookup(host, { all: true });
  } finally {
    // The next waiting lookup takes the free place.
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }
}
