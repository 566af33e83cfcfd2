// A request for an environment that is ready for a provider, as tests of providers need it.
import type { PreparedEnvironment } from "../../../src/environments/provider.ts";

let count = 0;

/** Each request has an id that no other process of this machine uses. */
export function preparedEnvironment(change: Partial<PreparedEnvironment> = {}): PreparedEnvironment {
  return {
    id: `case-${process.pid}-${++count}`,
    role: "terminal",
    options: {},
    signal: new AbortController().signal,
    profile: "strict",
    layers: [],
    workdir: "/app",
    env: {},
    rootName: "test",
    notes: [],
    ...change,
  };
}
