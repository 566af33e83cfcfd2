// Asking the authority who holds a token: CPU per check among 10,000 tokens that it knows, against hashing the same text, which every check
// has to do.
import { hash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccess } from "../packages/proctor/src/access/open-access.ts";
import { systemClock } from "../packages/proctor/src/runtime/time/system-clock.ts";
import { openSqliteStore } from "../packages/proctor/src/stores/sqlite/open-store.ts";
import { inTurns, type Result } from "./measure.ts";

const TOKENS = 10_000;
const CHECKS = 100_000;

export async function bench(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  const store = await openSqliteStore({ file: join(folder, "proctor.db") });
  try {
    const access = await openAccess({
      store: store.tokens,
      clock: systemClock,
      hasOwnTokens: false,
      runKey: () => Promise.resolve(new Uint8Array(32)),
      isLive: () => Promise.resolve(false),
      report: (problem) => console.error(problem),
    });
    const rate = { per_second: 1_000_000, burst: 1_000_000 };
    const create = (_: unknown, index: number) =>
      access.tokens.create({ name: `token ${index}`, scopes: ["runs:read"], rate });
    const secrets = (await Promise.all(Array.from({ length: TOKENS }, create))).map(({ secret }) => secret);
    // The first check of each token loads it.
    for (const secret of secrets) await access.authority.identify(secret, "127.0.0.1");
    const cpu = await inTurns(
      7,
      () => costOf(secrets, (secret) => hash("sha256", secret, "hex")),
      () => costOf(secrets, (secret) => access.authority.identify(secret, "127.0.0.1")),
    );
    await access.close();
    return {
      name: "token-check",
      what: "CPU of asking who holds a token, with a rate limit, 10,000 known",
      value: (cpu.ours / CHECKS) * 1000,
      bound: { atMost: 0.02 },
      unit: "ms",
      details: { "sha256 alone us": (cpu.bare / CHECKS) * 1e6, "ours us": (cpu.ours / CHECKS) * 1e6 },
    };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with the CPU seconds of all checks. */
async function costOf(secrets: readonly string[], check: (secret: string) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let index = 0; index < CHECKS; index++) {
    const checked = check(secrets[(index * 7919) % secrets.length] ?? "");
    // The authority answers with a promise only for a token that it does not know yet.
    if (checked instanceof Promise) await checked;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
