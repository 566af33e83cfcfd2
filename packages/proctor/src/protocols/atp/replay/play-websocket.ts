// A recording in the place of an agent's socket.
import { SocketConnectError, type ConnectFailure } from "../../../channels/websocket/connect-error.ts";
import type { SocketEnd } from "../../../channels/websocket/wrap-socket.ts";
import type { AgentDriver } from "../../../core/ports/driver.ts";
import type { RecordedMessage } from "../../../core/recording.ts";
import { createWebSocketDriver } from "../websocket/driver.ts";
import type { Link, LinkTask } from "../websocket/link.ts";
import type { Script } from "../../recorded-script.ts";

export function playWebSocket(script: Script): AgentDriver {
  return createWebSocketDriver({
    links: {
      async lease() {
        const first = await script.next();
        if (first?.channel === "head") return playLink(script, first.name !== undefined);
        if (first === undefined) script.unfinished = true;
        throw first === undefined
          ? new SocketConnectError("aborted", "the recording ends here")
          : connectError(first);
      },
    },
  });
}

function playLink(script: Script, shared: boolean): Link {
  let strays = 0;
  let socketEnd: SocketEnd | undefined;

  async function take(): Promise<readonly string[] | undefined> {
    for (;;) {
      const message = await script.next();
      switch (message?.channel) {
        case "frame":
          return [message.text];
        case "strays":
          strays = Number(message.text) || 0;
          break;
        case "close":
          socketEnd = endOf(message);
          return undefined;
        default:
          if (!script.left) script.unfinished = true;
          return undefined;
      }
    }
  }

  const task: LinkTask = {
    take,
    get socketEnd() {
      return socketEnd;
    },
    get strays() {
      return strays;
    },
    cancel() {},
    stop() {},
    leave() {},
  };
  return { shared, isGood: () => Promise.resolve(true), begin: () => Promise.resolve(task) };
}

function endOf({ status = 1006, text, id }: RecordedMessage): SocketEnd {
  return { code: status, reason: text, ...(id !== undefined && { fault: id }) };
}

const KINDS: readonly ConnectFailure[] = [
  "unreachable",
  "timeout",
  "tls",
  "redirect",
  "status",
  "no-subprotocol",
  "wrong-subprotocol",
  "handshake",
  "invalid",
  "aborted",
];

function connectError({ name, text, id, status }: RecordedMessage): SocketConnectError {
  const kind = KINDS.find((known) => known === name) ?? "unreachable";
  return new SocketConnectError(kind, text, {
    ...(id !== undefined && { code: id }),
    ...(status !== undefined && { status }),
  });
}
