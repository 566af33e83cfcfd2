// The announcer of a mock, unless it is to be kept private.
import type { DoubleKind } from "../../../core/double.ts";
import type { Announcer } from "../../compose/announce-double.ts";
import type { CommandContext } from "../../compose/compose.ts";

export async function openAnnouncer(
  { io, composition }: CommandContext,
  flags: { hub?: string; private?: boolean },
  { kind, name }: { kind: DoubleKind; name: string },
): Promise<Announcer | undefined> {
  if (flags.private === true) return undefined;
  return composition.announceDouble({ cwd: io.cwd, env: io.env, hub: flags.hub, kind, name });
}
