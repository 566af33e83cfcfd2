// What `proctor conform --gateway` needs: the agent behind the gateway on a socket, and the gateway as a program of this machine where one is to be started.
import type { Conformance } from "../../conformance/conformance.ts";
import { createGatewayConformance } from "../../protocols/a2a/conform-gateway/examine-gateway.ts";
import { openUpstream } from "../../protocols/a2a/conform-gateway/upstream.ts";
import { startHere } from "../../runtime/processes/start-here.ts";
import { setVariables } from "./set-variables.ts";

export interface GatewayPlace {
  upstream: { host: string; port: number };
  /** The gateway's command line, in which `{upstream}` is the upstream's address; absent where it runs already. */
  command?: readonly string[];
  /** The directory in which the gateway is started. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Returns the command line that tries one rule again. */
  repeat: (ruleId: string) => string;
  /** Called with the address of the upstream. */
  announce: (upstreamUrl: string) => void;
}

export function gatewayConformance(place: GatewayPlace): Conformance {
  const { upstream, command, cwd, env, repeat, announce } = place;
  return createGatewayConformance({
    repeat,
    async openUpstream() {
      const opened = await openUpstream(upstream);
      announce(opened.url);
      return opened;
    },
    ...(command && {
      start: (url, more) =>
        startHere({
          command: command.map((word) => word.replaceAll("{upstream}", url)),
          cwd,
          env: { ...setVariables(env), ...more, UPSTREAM_URL: url },
        }),
    }),
  });
}
