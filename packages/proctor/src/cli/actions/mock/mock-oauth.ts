// `proctor mock oauth`: serves an OAuth and OpenID Connect server, shows each request, and counts them at the end.
import { resolve } from "node:path";
import type { ServedFlags } from "./flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { createMockOAuthReport } from "./mock-oauth-report.ts";
import { ofOAuth } from "./double-requests.ts";
import { serveCalls } from "./serve-calls.ts";

export async function mockOAuth(
  file: string | undefined,
  flags: ServedFlags,
  context: CommandContext,
): Promise<number> {
  const { io, composition } = context;
  const { host, port } = flags;
  const script = file === undefined ? {} : { script: resolve(io.cwd, file), displayName: file };
  const report = createMockOAuthReport(createScreen(io), {
    json: flags.json === true,
    title: file ?? "OAuth server",
  });
  const double = {
    kind: "oauth" as const,
    name: file ?? "OAuth server",
    addressOf: ({ issuer }: { issuer: string }) => issuer,
    toRequest: ofOAuth,
  };
  return serveCalls(context, flags, double, report, (serving) =>
    composition.serveOAuthLab({ ...script, env: io.env, host, port, ...serving }),
  );
}
