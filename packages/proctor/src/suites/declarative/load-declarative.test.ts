import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadSuite } from "../load.ts";
import type { Suite } from "../suite.ts";

const folder = temporaryFolder("declarative");

const MINIMAL = `
test_case_id: minimal
gateway_input:
  target_agent_name: Agent
  parts: [{ type: text, text: "hello \${NOBODY}" }]
`;

async function load(text: string): Promise<Suite> {
  const file = join(folder, "case.yaml");
  writeFileSync(file, text);
  return loadSuite(file);
}

describe("a declarative test", () => {
  it("is a suite of one test, whose agent is a stage with everything that it plays", async () => {
    const suite = await load(
      `${MINIMAL}tags: [proxy]\nexpected_gateway_output: [{ type: final_response }]\n`,
    );
    expect(suite).toMatchObject({
      name: "minimal",
      agents: [{ name: "Agent", protocol: "stage", transport: "builtin" }],
      tests: [
        {
          id: "minimal",
          tags: ["proxy"],
          line: 2,
          // Nothing is filled in: a declarative test is data.
          task: { description: "hello ${NOBODY}" },
          checks: [{ type: "expected_gateway_output", line: 7 }, { type: "llm_interactions" }],
        },
      ],
    });
    const script = suite.agents[0]?.options?.["test"];
    expect(JSON.parse(typeof script === "string" ? script : "")).toMatchObject({
      test_case_id: "minimal",
      gateway_input: { is_streaming: true, user_identity: "anonymous" },
    });
  });

  it("takes the example of document 001, section 6, as it stands", async () => {
    const example = new URL("../../../test/fixtures/declarative/document-001.yaml", import.meta.url);
    const suite = await load(readFileSync(example, "utf8"));
    expect(suite.tests[0]?.checks.map(({ type }) => type)).toEqual([
      "expected_gateway_output",
      "expected_artifacts",
      "llm_interactions",
    ]);
  });

  it.each([
    [
      "expected_gateway_outptu: []",
      /:6:1 {2}unknown key "expected_gateway_outptu"\n.*did you mean "expected_gateway_output"/,
    ],
    ["monkeypatch_spec: []", /:6:1 {2}"monkeypatch_spec" replaces functions of a Python program/],
    ["http_request_input: {}", /:6:1 {2}"http_request_input" drives the origin's web interface/],
    ["expected_gateway_output: [{ type: finale }]", /6:35 {2}"type" must be/],
    [
      "expected_gateway_output: [{ type: error, error_message_matches_regex: '(' }]",
      /Invalid regular expression/,
    ],
    ["expected_artifacts: [{ version: 1 }]", /an artifact is named by "filename"/],
    [
      "setup_artifacts: [{ filename: a, content: x, content_base64: eA== }]",
      /either "content" or "content_base64"/,
    ],
    [
      "gateway_actions: []",
      /"gateway_actions" is the name in the origin.*\n.*write "gateway_actions_after_input"/,
    ],
  ])("refuses %s with its place", async (line, message) => {
    await expect(load(`${MINIMAL}${line}\n`)).rejects.toThrow(message);
  });

  it("refuses a server that a stage does not have", async () => {
    const text = MINIMAL.replace("hello", "{{STATIC_FILE_SERVER_URL}}/a.txt");
    await expect(load(text)).rejects.toThrow("STATIC_FILE_SERVER_URL");
  });
});
