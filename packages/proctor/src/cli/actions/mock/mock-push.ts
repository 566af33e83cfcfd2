// `proctor mock push`: receives push notifications and webhooks, shows each delivery, and counts them at the end.
import { resolve } from "node:path";
import type { ServedFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createMockPushReport } from "./mock-push-report.ts";
import { ofPush } from "./double-requests.ts";
import { serveCalls } from "./serve-calls.ts";

export async function mockPush(
  file: string | undefined,
  flags: ServedFlags,
  context: CommandContext,
): Promise<number> {
  const { io, composition } = context;
  const { host, port } = flags;
  const script = file === undefined ? {} : { script: resolve(io.cwd, file), displayName: file };
  const report = createMockPushReport(createScreen(io), {
    json: flags.json === true,
    title: file ?? "push receiver",
  });
  const double = {
    kind: "push" as const,
    name: file ?? "push receiver",
    addressOf: ({ url }: { url: string }) => url,
    toRequest: ofPush,
  };
  return serveCalls(context, flags, double, report, (serving) =>
    composition.servePushReceiver({ ...script, env: io.env, host, port, ...serving }),
  );
}
