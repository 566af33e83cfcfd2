import { describe, expect, it } from "vitest";
import type { AgentSpec } from "../core/agent.ts";
import { findLoading, loadsCode, refuseLoading } from "./loading-variables.ts";

const program: AgentSpec = { protocol: "atp", transport: "stdio", command: ["node", "a.mjs"] };

describe("variables that load code", () => {
  it.each([
    "NODE_OPTIONS",
    "NODE_PATH",
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "PYTHONPATH",
    "PERL5LIB",
    "RUBYOPT",
  ])("%s is one", (name) => expect(loadsCode(name)).toBe(true));
  it.each([
    "PATH",
    "Path",
    "BASH_ENV",
    "ENV",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "GIT_SSH_COMMAND",
    "BASH_FUNC_ls%%",
  ])("%s is one, too", (name) => expect(loadsCode(name)).toBe(true));
  it.each([
    "API_KEY",
    "OPENAI_API_KEY",
    "GOOGLE_API_KEY",
    "GITHUB_TOKEN",
    "ENVIRONMENT",
    "LANG",
    "TZ",
    "DATABASE_URL",
  ])("%s is none", (name) => expect(loadsCode(name)).toBe(false));

  it("are refused by name, with the way out, unless the registration allows them", () => {
    const names = findLoading({ API_KEY: "x", PYTHONPATH: "/p", NODE_OPTIONS: "--import=x" });
    expect(names).toEqual(["PYTHONPATH", "NODE_OPTIONS"]);
    expect(() => refuseLoading(names, "writer", program)).toThrow(
      /may not set PYTHONPATH[^]*agents add writer … --client-env PYTHONPATH/,
    );
    expect(() => refuseLoading(names, "writer", { ...program, client_env: ["PYTHONPATH"] })).toThrow(
      /NODE_OPTIONS/,
    );
    expect(() => refuseLoading(names, "writer", { ...program, client_env: names })).not.toThrow();
  });

  it("are allowed for an agent that is no program", () => {
    expect(() =>
      refuseLoading(["PATH"], "a", { protocol: "atp", transport: "http", url: "http://h" }),
    ).not.toThrow();
  });
});
