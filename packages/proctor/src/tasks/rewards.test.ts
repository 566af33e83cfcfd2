// What counts as a reward. A verifier that leaves none has not judged.
import { describe, expect, it } from "vitest";
import { rewardsOf } from "./rewards.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const files = (given: Record<string, string>, exitCode = 0): ReturnType<typeof rewardsOf> =>
  rewardsOf("files", {
    files: Object.fromEntries(Object.entries(given).map(([name, text]) => [name, bytes(text)])),
    output: "",
    exitCode,
  });

describe("the files of a verifier", () => {
  it.each([
    [{ "reward.txt": "1\n" }, { reward: 1 }],
    [{ "reward.txt": "0.25" }, { reward: 0.25 }],
    [{ "reward.json": "0.5" }, { reward: 0.5 }],
    [{ "reward.json": `{"speed": 0.5, "right": true}` }, { speed: 0.5, right: 1 }],
    [{ "reward.json": `{"reward": 1}`, "reward.txt": "0" }, { reward: 1 }],
  ])("give rewards: %j gives %j", (given, rewards) => {
    expect(files(given)).toEqual({ rewards });
  });

  it.each([
    [{}, "neither"],
    [{ "reward.txt": "" }, "no number"],
    [{ "reward.txt": "yes" }, "no number"],
    [{ "reward.txt": "NaN" }, "no number"],
    [{ "reward.json": "{" }, "no JSON"],
    [{ "reward.json": "{}" }, "no object with numbers"],
    [{ "reward.json": `{"a": "1"}` }, '"a" is no number'],
    [{ "reward.json": "[1]" }, "no object with numbers"],
  ])("give no reward, but a reason: %j", (given, why) => {
    const { rewards, reason } = files(given, 3);
    expect(rewards).toBeNull();
    expect(reason).toContain(why);
  });
});

describe("the output of pytest", () => {
  it.each([
    ["===== 3 passed in 0.1s =====", { reward: 1 }],
    ["===== 1 failed, 2 passed in 0.1s =====", { reward: 0 }],
    ["===== 2 errors in 0.1s =====", { reward: 0 }],
    ["===== no tests ran in 0.1s =====", { reward: 0 }],
  ])("gives a reward by its summary: %s", (summary, rewards) => {
    expect(rewardsOf("pytest", { files: {}, output: `x\n${summary}\n`, exitCode: 0 })).toEqual({ rewards });
  });

  it("gives no reward without a summary", () => {
    const { rewards, reason } = rewardsOf("pytest", {
      files: {},
      output: "bash: pytest: not found",
      exitCode: 127,
    });
    expect(rewards).toBeNull();
    expect(reason).toContain("127");
  });
});

it("the exit code of the tests is the reward where the task says so", () => {
  expect(rewardsOf("exit-code", { files: {}, output: "", exitCode: 0 }).rewards).toEqual({ reward: 1 });
  expect(rewardsOf("exit-code", { files: {}, output: "", exitCode: 2 }).rewards).toEqual({ reward: 0 });
});
