// What a verifier left behind, as rewards. A missing reward is an error of the verifier, not a zero.
import { Buffer } from "node:buffer";
import type { Verification, VerifyRequest } from "../core/ports/verify.ts";

export type Rewards = Pick<Verification, "rewards" | "reason">;

/** `files` holds what the tests wrote into /logs/verifier. */
export function rewardsOf(
  kind: VerifyRequest["reward"],
  { files, output, exitCode }: Pick<Verification, "files" | "output" | "exitCode">,
): Rewards {
  switch (kind) {
    case "files":
      return fromFiles(files, exitCode);
    case "pytest":
      return fromPytest(output, exitCode);
    case "exit-code":
      return { rewards: { reward: exitCode === 0 ? 1 : 0 } };
  }
}

/** Reads reward.json, which has names, or else reward.txt, which is one number. */
function fromFiles(files: Verification["files"], exitCode: number): Rewards {
  const json = files["reward.json"];
  if (json !== undefined) return fromJson(Buffer.from(json).toString("utf8"));
  const text = files["reward.txt"];
  if (text === undefined) {
    const reason = `the tests wrote neither /logs/verifier/reward.txt nor reward.json, and ended with exit code ${exitCode}`;
    return { rewards: null, reason };
  }
  const written = Buffer.from(text).toString("utf8").trim();
  const reward = Number(written);
  if (written === "" || !Number.isFinite(reward)) {
    return { rewards: null, reason: `reward.txt holds no number: ${JSON.stringify(written.slice(0, 100))}` };
  }
  return { rewards: { reward } };
}

function fromJson(text: string): Rewards {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { rewards: null, reason: "reward.json is no JSON" };
  }
  if (typeof value === "number" && Number.isFinite(value)) return { rewards: { reward: value } };
  const entries =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  const wrong = entries.find(([, reward]) => typeof reward !== "number" && typeof reward !== "boolean");
  if (entries.length === 0 || wrong) {
    const what = wrong ? `${JSON.stringify(wrong[0])} is no number` : "it is no object with numbers";
    return { rewards: null, reason: `reward.json cannot be read: ${what}` };
  }
  return { rewards: Object.fromEntries(entries.map(([name, reward]) => [name, Number(reward)])) };
}

const PYTEST_SUMMARY = /^=+ .*\b(?:passed|failed|error|errors|skipped|no tests ran)\b.* =+$/m;

/** The reward is 1 when the summary of pytest says that at least one test passed and none failed. */
function fromPytest(output: string, exitCode: number): Rewards {
  const summary = PYTEST_SUMMARY.exec(output)?.[0];
  if (summary === undefined) {
    return {
      rewards: null,
      reason: `pytest printed no summary, and the tests ended with exit code ${exitCode}`,
    };
  }
  const failed = /\b\d+ (?:failed|errors?)\b/.test(summary);
  return { rewards: { reward: !failed && /\b\d+ passed\b/.test(summary) ? 1 : 0 } };
}
