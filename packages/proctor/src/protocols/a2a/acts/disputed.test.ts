// Which tests of ACTS are disputed: some whatever they say, others only in the form in which they contradict A2A.
import { describe, expect, it } from "vitest";
import { readFiles, withSteps } from "../../../../test/support/a2a/acts-files.ts";
import { disputeOf } from "./disputed.ts";

async function dispute(id: string, steps: string, more = ""): Promise<string | undefined> {
  const { suites } = await readFiles({ "a.yaml": withSteps(steps, more).replace("T-1", id) });
  const test = suites[0]?.tests[0];
  return test && disputeOf(test);
}

const refusedWith = (name: string): string =>
  `- id: a\n  operation: create_push_config\n  expect_error: {error_type: ${name}}\n`;
const rawWith = (message: string, expected: string): string =>
  `- id: a\n  raw: {method: POST, path: /, body: {params: {message: ${message}}}}\n  expect: {body: ${expected}}\n`;

describe("A test of ACTS is", () => {
  it("disputed by its id and its form, with the section", async () => {
    expect(await dispute("PUSH-CFG-004", refusedWith("UnsupportedOperationError"))).toContain(
      "section 3.3.4",
    );
    expect(await dispute("PUSH-CFG-004", refusedWith("PushNotificationNotSupportedError"))).toBeUndefined();
    expect(await dispute("PUSH-CFG-999", refusedWith("UnsupportedOperationError"))).toBeUndefined();
    expect(await dispute("JSONRPC-ERR-003", refusedWith("TaskNotFoundError"))).toContain("section 9.5");
  });

  it("disputed when a message that is to be answered lacks its id, and not when it is to be refused", async () => {
    const raw = "transport: [jsonrpc]\n";
    const answered = "{result: {exists: true}}";
    expect(await dispute("T-2", rawWith("{role: ROLE_USER}", answered), raw)).toContain("section 4.1.4");
    expect(await dispute("T-2", rawWith("{messageId: m}", answered), raw)).toBeUndefined();
    expect(
      await dispute("T-2", rawWith("{role: ROLE_USER}", "{error: {exists: true}}"), raw),
    ).toBeUndefined();
  });
});
