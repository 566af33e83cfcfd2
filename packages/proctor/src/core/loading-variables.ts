// Variables that make a program load code or find other programs. Setting one decides what the hub's program does, so clients of a
// surface may not, unless the agent's registration names the variable.
import type { AgentSpec } from "./agent.ts";
import { ProctorError } from "./errors.ts";

const NAMES: ReadonlySet<string> = new Set([
  // Where programs, shells and their settings are found.
  ..."PATH PATHEXT COMSPEC HOME SHELL ENV BASH_ENV IFS CDPATH ZDOTDIR PROMPT_COMMAND PS4 SHELLOPTS BASHOPTS GLOBIGNORE".split(
    " ",
  ),
  ..."EDITOR VISUAL PAGER BROWSER MANPAGER XDG_CONFIG_HOME XDG_DATA_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS".split(
    " ",
  ),
  // What runtimes load before the program.
  ..."NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE GOFLAGS GOPATH GOROOT GOTOOLDIR".split(" "),
  ..."JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_HOME CLASSPATH".split(" "),
  ..."VIRTUAL_ENV CONDA_PREFIX PIP_CONFIG_FILE DENO_DIR BUN_INSTALL PHPRC PHP_INI_SCAN_DIR R_PROFILE R_ENVIRON".split(
    " ",
  ),
  ..."GCONV_PATH GETCONF_DIR HOSTALIASES LOCPATH NLSPATH RESOLV_HOST_CONF MALLOC_TRACE OPENSSL_CONF OPENSSL_MODULES".split(
    " ",
  ),
]);

const PREFIXES = [
  ..."LD_ DYLD_ PYTHON PERL5 PERLLIB PERL_ RUBY GEM_ BUNDLE_ GIT_ NPM_CONFIG_ CORECLR_ DOTNET_ COMPLUS_".split(
    " ",
  ),
  ..."LUA_ GLIBC_ BASH_FUNC_ GUILE_ JULIA_ ERL_ ELIXIR_ OCAML".split(" "),
];

/** Compares names without case: some systems do, and two variables that differ only in case are not to be expected. */
export function loadsCode(name: string): boolean {
  const upper = name.toUpperCase();
  return NAMES.has(upper) || PREFIXES.some((prefix) => upper.startsWith(prefix));
}

export function findLoading(environment: Readonly<Record<string, string>> | undefined): string[] {
  return Object.keys(environment ?? {}).filter(loadsCode);
}

/** Throws when a client of a surface may not set one of these variables. An agent that is not a program has no use for them. */
export function refuseLoading(names: readonly string[], agent: string, spec: AgentSpec): void {
  if (spec.command === undefined) return;
  const name = names.find((one) => spec.client_env?.includes(one) !== true);
  if (name === undefined) return;
  throw new ProctorError(
    "INVALID_REQUEST",
    `context.environment may not set ${name}: it can make the program of agent "${agent}" load code or find other programs\n` +
      `leave it out, or let whoever runs the hub allow it: proctor agents add ${agent} … --client-env ${name}`,
    { details: [{ path: `context.environment.${name}`, message: "may not be set by clients" }] },
  );
}
