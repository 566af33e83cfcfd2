// RUN: which program with which words, and what of the context it sees.
import type { Instruction } from "./parse-dockerfile.ts";
import type { Bind, RunStep, StageState } from "./plan.ts";
import { problem, USE_ANOTHER } from "./problem.ts";
import { absolute } from "./target-path.ts";

/** Matches commands that create users, or run as them, where a command may begin. */
const USERS =
  /(?:^|[\n;&|({]|\b(?:then|do|else|exec|xargs|env)\b|-exec)\s*(?:\/usr)?(?:\/s?bin\/)?(?:useradd|adduser|groupadd|addgroup|usermod|chown|chgrp|su|sudo|gosu|runuser)\b/u;

interface PlannedRun {
  step: RunStep;
  needsUsers: boolean;
}

export function planRun(
  at: Instruction,
  state: StageState,
  { network, notes }: { network: "none" | "host"; notes: string[] },
): PlannedRun {
  const binds: Bind[] = [];
  for (const { name, value } of at.flags) {
    if (name === "mount") mount(at, value, state.workdir ?? "/", binds, notes);
    else if (name === "network") {
      if (value === "host" && network === "none") {
        throw problem(at, "RUN --network=host: builds have no network", "build with --build-network host");
      }
    } else if (name !== "security") {
      throw problem(at, `RUN --${name} is not supported here`, USE_ANOTHER);
    }
  }
  const command = at.list ?? [...state.shell, script(at)];
  if (command.length === 0 || (at.list === undefined && script(at).trim() === "")) {
    throw problem(at, "RUN names no command", "say what it runs");
  }
  const env = { ...defined(state.args), ...state.env };
  const step: RunStep = { kind: "run", at, command, env, cwd: state.workdir ?? "/", binds };
  if (state.user !== undefined) step.user = state.user;
  return { step, needsUsers: USERS.test(at.list?.join(" ") ?? script(at)) };
}

/** Returns the script of a RUN: a single here-document, or the command, whose here-documents the shell reads itself. */
function script({ text, heredocs, raw }: Instruction): string {
  const [only] = heredocs;
  if (only === undefined) return text;
  return heredocs.length === 1 && /^<<-?['"]?\w+['"]?$/u.test(text) ? only.content : raw;
}

function mount(at: Instruction, value: string, workdir: string, binds: Bind[], notes: string[]): void {
  const options = new Map(
    value.split(",").map((part): [string, string] => {
      const [key = "", ...rest] = part.split("=");
      return [key, rest.join("=")];
    }),
  );
  const type = options.get("type") ?? "bind";
  const target = options.get("target") ?? options.get("dst") ?? options.get("destination");
  if (type === "cache" || type === "tmpfs") return;
  if (type === "secret" || type === "ssh") {
    notes.push(`${at.file}:${at.line}: RUN --mount=type=${type}: there is none`);
    return;
  }
  if (type !== "bind" || options.has("from") || target === undefined) {
    throw problem(at, `RUN --mount=${value} is not supported here`, `use COPY instead; or ${USE_ANOTHER}`);
  }
  const source = options.get("source") ?? options.get("src") ?? ".";
  binds.push({ source, target: absolute(target, workdir) });
}

function defined(args: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
}
