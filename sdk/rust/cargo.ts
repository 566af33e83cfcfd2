// Builds the Rust crate's examples for tests, outside of the repository, where cargo is there and can have its dependencies.
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const CRATE = fileURLToPath(new URL(".", import.meta.url));
const FETCH_LIMIT_MS = 60_000;
const BUILD_LIMIT_MS = 240_000;

/** Kept between runs: a build from nothing takes some seconds. */
const TARGET = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "proctor", "term-sdk-rust");

/** Nobody debugs these builds or continues them: without what that needs, they cost about half. */
export const cargoEnv = {
  ...process.env,
  CARGO_TARGET_DIR: TARGET,
  CARGO_TERM_COLOR: "never",
  CARGO_PROFILE_DEV_DEBUG: "false",
  CARGO_INCREMENTAL: "0",
};

/** The reason why tests are skipped here, or false where they run. */
export const NO_CARGO = findReason();
// oxlint-disable-next-line no-console -- whoever reads the report should know why nothing ran
if (NO_CARGO !== false) console.warn(`skipped: the Rust SDK: ${NO_CARGO}`);

/** Runs cargo and resolves with what it printed. Rejects when it failed. */
export async function cargo(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)("cargo", args, { cwd: CRATE, env: cargoEnv, timeout: BUILD_LIMIT_MS });
}

/** Builds an example and resolves with the path of its program. */
export async function buildExample(name: string): Promise<string> {
  await cargo("build", "--quiet", "--locked", "--example", name);
  return join(TARGET, "debug", "examples", process.platform === "win32" ? `${name}.exe` : name);
}

function findReason(): string | false {
  if (spawnSync("cargo", ["--version"]).status !== 0) return "cargo is not installed here";
  try {
    mkdirSync(TARGET, { recursive: true });
  } catch {
    return `${TARGET} cannot be made`;
  }
  const fetched = spawnSync("cargo", ["fetch", "--locked"], {
    cwd: CRATE,
    env: cargoEnv,
    timeout: FETCH_LIMIT_MS,
    encoding: "utf8",
  });
  if (fetched.status === 0) return false;
  const [reason = "it took more than a minute"] =
    /^(?:error|warning: spurious).*$/m.exec(fetched.stderr) ?? [];
  return `its dependencies cannot be fetched: ${reason}`;
}
