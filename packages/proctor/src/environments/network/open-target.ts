// A connection to a host whose addresses are known: no name is resolved again.
import { connect, type Socket } from "node:net";
import type { Target } from "./allow-list.ts";
import type { Address } from "./look-up.ts";

/** A target, and the addresses that its name led to. */
export interface Destination {
  target: Target;
  addresses: readonly Address[];
}

const CONNECT_MS = 15_000;

export function openTarget({ target, addresses }: Destination): Socket {
  const socket = connect({
    host: target.host,
    port: target.port,
    allowHalfOpen: true,
    autoSelectFamily: true,
    lookup: (_host, _options, done) => done(null, [...addresses]),
  });
  const patience = setTimeout(() => {
    socket.destroy(Object.assign(new Error("it takes too long"), { code: "ETIMEDOUT" }));
  }, CONNECT_MS);
  const reached = (): void => clearTimeout(patience);
  return socket.once("connect", reached).once("close", reached);
}
