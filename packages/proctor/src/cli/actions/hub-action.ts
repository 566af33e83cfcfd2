// An action that needs a hub and prints what it finds: the hub is opened before it and closed after it, whatever happens.
import type { CliIo } from "../cli-io.ts";
import { withHub, type CommandContext, type HubSession } from "../compose/compose.ts";
import type { HubFlags } from "../flags.ts";
import { createScreen, type Screen } from "../terminal/screen.ts";

interface ActionSession extends HubSession {
  io: CliIo;
  screen: Screen;
}

/** Returns the action. `use` gets the arguments of the command, then its flags; the exit code is 0 unless it returns another. */
export function hubAction<Given extends [...unknown[], HubFlags]>(
  mode: "read" | "write",
  use: (session: ActionSession, ...given: Given) => Promise<number | void>,
): (...all: [...Given, CommandContext]) => Promise<number> {
  return (...all) => {
    // The tuple says what comes last, and what before it.
    const given = all.slice(0, -1) as Given;
    const [flags, context] = all.slice(-2) as [HubFlags, CommandContext];
    const { io } = context;
    return withHub(
      context,
      flags,
      mode,
      async (session) => (await use({ ...session, io, screen: createScreen(io) }, ...given)) ?? 0,
    );
  };
}
