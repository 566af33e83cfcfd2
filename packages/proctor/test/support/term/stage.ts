// Terminal agents as puppets: a program that asks the test what to answer, and a real shell that executes its commands.
import { createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Play, Stage } from "../protocols/puppet.ts";
import { openCaseTerminal } from "./terminal.ts";

const PUPPET = fileURLToPath(new URL("../../fixtures/agents/puppet.mjs", import.meta.url));

export const termStage: Stage = {
  name: "stdio of a terminal agent",
  carriesText: true,
  async raise(play) {
    const terminal = await openCaseTerminal();
    const server = createServer((socket) => perform(socket, play));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    // A server on a port has an address with a port.
    const { port } = server.address() as AddressInfo;
    return {
      spec: {
        protocol: "term",
        transport: "stdio",
        command: [process.execPath, PUPPET],
        env: { PUPPET_PORT: String(port) },
      },
      terminal: terminal.environment,
      async close() {
        await new Promise((resolve) => server.close(resolve));
        await terminal.close();
      },
    };
  },
};

/** One program: its first request starts the play, each further one is what came of the command before. */
function perform(socket: Socket, play: Play): void {
  let asked = (): void => undefined;
  let stop = (): void => undefined;
  let isPlaying = false;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const say = (command: object): void => void socket.write(`${JSON.stringify(command)}\n`);
  const textOf = (message: JsonObject | string): string =>
    typeof message === "string" ? message : JSON.stringify(message);
  socket.on("error", () => undefined);
  socket.on("close", () => {
    stop();
    asked();
  });
  // A reader of lines says again what went wrong with its input.
  const lines = createInterface({ input: socket }).on("error", () => undefined);
  lines.on("line", (line) => {
    const request = JSON.parse(line) as JsonObject;
    if (request["stopped"] === true) return stop();
    if (isPlaying) return asked();
    isPlaying = true;
    void play({
      request,
      stopped,
      // A command is over when the agent is asked again.
      async event(message) {
        const next = new Promise<void>((resolve) => (asked = resolve));
        say({ out: textOf(message) });
        await next;
      },
      async answer(message) {
        say({ out: textOf(message) });
      },
      async respond(message) {
        say({ out: textOf(message) });
        say({ exit: 0 });
      },
      vanish: () => say({ exit: 3 }),
    });
    return undefined;
  });
}
