// `npm run test:node`: the whole suite on other lines of Node, whose binaries come from npm. Not part of `npm test`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

const lines = process.argv.length > 2 ? process.argv.slice(2) : ["22", "24"];
let failed = false;

for (const line of lines) {
  const node = nodeBinary(line);
  console.log(`\n# Node ${line}: ${spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim()}`);
  // This Node comes first on the PATH, so that the programs that the tests start use it too.
  const env = { ...process.env, PATH: `${join(node, "..")}:${process.env["PATH"] ?? ""}` };
  const { status } = spawnSync(node, ["--import", "tsx", "scripts/test.ts"], { stdio: "inherit", env });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;

/** Returns the path of the binary. Installs it once into .cache, from the npm package for this platform. */
function nodeBinary(line: string): string {
  const prefix = resolve(".cache", `node-${line}`);
  const carrier = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const binary = join(prefix, "node_modules", carrier, "bin", "node");
  if (!existsSync(binary)) {
    const args = ["install", "--no-save", "--no-package-lock", "--prefix", prefix, `${carrier}@${line}`];
    const { status } = spawnSync("npm", args, { stdio: "inherit" });
    if (status !== 0) throw new Error(`could not install ${carrier}@${line} from npm`);
  }
  return binary;
}
