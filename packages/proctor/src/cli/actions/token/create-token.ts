// `proctor token create`. In a pipe only the secret is printed, so that a script can keep it.
import type { Binding } from "../../../core/caller.ts";
import { ProctorError } from "../../../core/errors.ts";
import { isScopeGrant, SCOPES, type ScopeGrant } from "../../../core/scope.ts";
import { suggest } from "../../../core/suggest.ts";
import type { IssuedToken, NewToken } from "../../../core/token.ts";
import type { CliIo } from "../../cli-io.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen, type Screen } from "../../terminal/screen.ts";
import type { CreateFlags } from "./flags.ts";
import { tokenLines } from "./token-lines.ts";

export function createToken(flags: CreateFlags, context: CommandContext): Promise<number> {
  const wanted = newToken(flags);
  return withHub(context, flags, "write", async ({ platform }) => {
    const issued = await platform.tokens.create(wanted);
    printIssued(issued, "created", flags.json === true, context.io);
    if (issued.closed_hub === true && flags.json !== true) {
      createScreen(context.io, context.io.stderr).print(
        "this hub is closed now: every request needs a token; commands on this machine go on as before",
      );
    }
    return 0;
  });
}

/** Prints the secret of a token that was created or rotated. */
export function printIssued(issued: IssuedToken, done: string, json: boolean, io: CliIo): void {
  const screen = createScreen(io);
  if (json) screen.printJson(issued);
  else if (screen.width === undefined) screen.print(issued.secret);
  else screen.print(...renderIssued(issued, done, screen));
}

function renderIssued({ token, secret }: IssuedToken, done: string, { paint }: Screen): string[] {
  return [
    `${paint.green("✓")} ${done}`,
    ...tokenLines(token, paint),
    "",
    paint.bold(secret),
    paint.dim("Keep it now: it is never shown again."),
  ];
}

function newToken(flags: CreateFlags): NewToken {
  const scopes = (flags.scope ?? []).flatMap((text) => text.split(",")).map(scopeOf);
  if (scopes.length === 0 && flags.enrol !== true)
    throw new ProctorError(
      "USAGE",
      `--scope is missing\nfor example: proctor token create --scope runs:read --scope runs:write\nscopes: ${Object.keys(SCOPES).join(", ")}`,
    );
  const binding = bindingOf(flags);
  return {
    kind: flags.enrol === true ? "enrol" : "api",
    name: flags.name ?? (binding ? `${binding.kind} ${binding.name}` : "unnamed"),
    scopes,
    ...(binding && { binding }),
    ...(flags.expires !== undefined && { expires_in_seconds: flags.expires }),
    ...(flags.rate && { rate: flags.rate }),
  };
}

function scopeOf(text: string): ScopeGrant {
  if (isScopeGrant(text)) return text;
  const close = suggest(text, Object.keys(SCOPES));
  const next = close === undefined ? `scopes: ${Object.keys(SCOPES).join(", ")}` : `did you mean "${close}"?`;
  throw new ProctorError("USAGE", `there is no scope "${text}"\n${next}`);
}

function bindingOf({ agent, folder, user }: CreateFlags): Binding | undefined {
  const given: Binding[] = [
    ...(agent === undefined ? [] : [{ kind: "agent" as const, name: agent }]),
    ...(folder === undefined ? [] : [{ kind: "folder" as const, name: folder }]),
    ...(user === undefined ? [] : [{ kind: "user" as const, name: user }]),
  ];
  if (given.length > 1)
    throw new ProctorError(
      "USAGE",
      "a token is bound to one of --agent, --folder and --user\ngive one of them",
    );
  return given[0];
}
