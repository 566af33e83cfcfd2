import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { objectSource } from "../format/object-source.ts";
import { artifactProblems, stateProblems } from "./artifact-problems.ts";
import { authProblems, cancellationProblems, requestProblems, tokenProblems } from "./downstream-problems.ts";
import { expectedArtifact, expectedOutput, modelInteraction, artifactState } from "./expected-schema.ts";
import { followOutputs } from "./follow-outputs.ts";
import { loadDeclarative } from "./load-declarative.ts";
import { subsetProblems } from "./match-subset.ts";
import { modelProblems } from "./model-problems.ts";
import type { ObservedArtifact, ObservedOutput } from "../../core/observation.ts";

function status(text: string, state = "working"): ObservedOutput {
  const message = { role: "agent", parts: [{ kind: "text", text }] };
  return {
    type: "status_update",
    event: { kind: "status-update", final: false, status: { state, message } },
  };
}

function final(text: string, extra: JsonObject = {}): ObservedOutput {
  const message = { role: "agent", parts: [{ kind: "text", text }] };
  return {
    type: "final_response",
    event: { kind: "task", id: "t", status: { state: "completed", message }, ...extra },
  };
}

function file(part: JsonObject): ObservedOutput {
  const artifact = { artifactId: "a", name: "result.txt", parts: [{ kind: "file", file: part }] };
  return { type: "artifact_update", event: { kind: "artifact-update", artifact } };
}

function follow(outputs: ObservedOutput[], expected: JsonObject[], skip = false): string[] {
  const parsed = expected.map((one) => expectedOutput.parse(one));
  return followOutputs(outputs, parsed, { skip });
}

describe("the expected output of a gateway", () => {
  const stream = [
    status("Work in progress..."),
    file({ uri: "artifact://a/u/s/result.txt" }),
    final("Done."),
  ];

  it("passes when everything came in order", () => {
    const text = (text_contains: string): JsonObject[] => [{ type: "text", text_contains }];
    const expected = [
      { type: "status_update", event_purpose: "generic_text_update", content_parts: text("progress") },
      {
        type: "artifact_update",
        expected_artifact_name_contains: "result",
        assert_part_is_uri_reference: true,
      },
      { type: "final_response", task_state: "completed", content_parts: text("Done.") },
    ];
    expect(follow(stream, expected)).toEqual([]);
  });

  it.each([
    [
      "another order",
      [{ type: "artifact_update" }],
      /a status_update \(generic_text_update\) came, not a artifact_update/,
    ],
    ["too much", [{ type: "status_update" }], /2 more came than expected: artifact_update, final_response/],
    [
      "too little",
      Array.from({ length: 4 }, () => ({ type: "final_response" })),
      /status_update .* came, not a final_response/,
    ],
  ])("fails on %s", (_what, expected, message) => {
    expect(follow(stream, expected).join()).toMatch(message);
  });

  it("passes over what stands between, where the test says so, and still wants everything it names", () => {
    expect(follow(stream, [{ type: "final_response" }], true)).toEqual([]);
    expect(follow(stream, [{ type: "error" }], true)).toEqual([
      "expected_gateway_output[0]: no error came; what came: status_update (generic_text_update), artifact_update, final_response",
    ]);
  });

  it("finds bytes where a reference to an artifact is expected, and a reference where bytes are", () => {
    const wants = (assert_part_is_uri_reference: boolean): JsonObject[] => [
      { type: "artifact_update", assert_part_is_uri_reference },
    ];
    expect(follow([file({ bytes: "eA==" })], wants(true)).join()).toContain(
      "is not a reference to an artifact",
    );
    expect(follow([file({ uri: "artifact://x" })], wants(false)).join()).toContain(
      "is a reference to an artifact",
    );
    expect(follow([file({ uri: "https://x" })], wants(true)).join()).toContain("is not a reference");
  });

  it("compares the event itself, which the origin's runner never did", () => {
    const expected = { type: "final_response", kind: "task", id: "*", status: { state: "failed" } };
    expect(follow([final("Done.")], [expected])).toEqual([
      'expected_gateway_output[0]: event.status.state is "completed", not "failed"',
    ]);
  });

  it("puts the text of a stream together", () => {
    const outputs = [status("Hello, "), status("world"), final("Hello, world")];
    const parts = [{ type: "text", text_exact: "Hello, world" }];
    const whole = { type: "aggregated_text_content", content_parts: parts };
    const last = { type: "final_response", assert_content_against_stream: true };
    expect(follow(outputs, [whole, last], true)).toEqual([]);
    expect(follow(outputs.slice(1), [whole], true).join()).toContain('"world" is not exactly "Hello, world"');
    expect(follow(outputs.slice(1), [last], true).join()).toContain("is not the text of the stream");
  });

  it("compares errors by code, message and data", () => {
    const error: ObservedOutput = {
      type: "error",
      event: { code: -32603, message: "HTTP 503", data: { agent_name: "A" } },
    };
    const expected = {
      type: "error",
      error_code: -32603,
      error_message_contains: "503",
      error_data_contains: { agent_name: "A" },
    };
    expect(follow([error], [expected])).toEqual([]);
    expect(
      follow([error], [{ type: "error", error_code: -32001, error_message_matches_regex: "503" }]),
    ).toEqual([
      "expected_gateway_output[0]: error.code is -32603, not -32001",
      'expected_gateway_output[0]: "HTTP 503" does not match /503/',
    ]);
  });

  it("looks into the data of tool calls and of produced artifacts", () => {
    const data = { type: "tool_invocation_start", tool_name: "search", tool_args: { q: "x", n: 1 } };
    const message = { parts: [{ kind: "data", data }] };
    const call: ObservedOutput = { type: "status_update", event: { status: { state: "working", message } } };
    const expected = {
      type: "status_update",
      event_purpose: "tool_invocation_start",
      expected_tool_name: "search",
      expected_tool_args_contain: { q: "y" },
    };
    expect(follow([call], [expected]).join()).toContain('data.tool_args.q is "x", not "y"');
    const produced = { metadata: { produced_artifacts: [{ filename: "a.txt", version: 1 }] } };
    const wanted = (version: number): JsonObject => ({
      type: "final_response",
      expected_produced_artifacts: [{ filename: "a.txt", version }],
    });
    expect(follow([final("x", produced)], [wanted(1)])).toEqual([]);
    expect(follow([final("x", produced)], [wanted(2)])).toHaveLength(1);
  });
});

describe("a subset", () => {
  it.each<[string, JsonObject, JsonObject, string[]]>([
    ["lets other keys be", { a: 1, b: 2 }, { a: 1 }, []],
    ["compares lists by position", { l: [1, 2] }, { l: [2] }, ["x.l[0] is 1, not 2"]],
    ["misses entries", { l: [] }, { l: [1] }, ["x.l has 0 entries, and 1 are expected"]],
    [
      "takes any value for an asterisk, and none for none",
      { a: 1 },
      { a: "*", b: "*" },
      ['x.b is missing, not "*"'],
    ],
    [
      "understands a pattern for a whole value",
      { u: "ab" },
      { u_matches_regex: "a" },
      ['x.u is "ab", which does not match /a/'],
    ],
    ["understands parts of a text", { u: "ab" }, { u_contains: "b", u_not_contains: "c" }, []],
    ["takes all line breaks for the same", { t: "a\r\nb\n" }, { t: "a\nb" }, []],
  ])("%s", (_what, actual, expected, problems) => {
    expect(subsetProblems(actual, expected, "x")).toEqual(problems);
  });
});

describe("expected artifacts", () => {
  const artifact = (version: number, text: string, latest = true): ObservedArtifact => ({
    app_name: "A",
    user_id: "u",
    session_id: "s",
    filename: "result.txt",
    version,
    latest,
    mime_type: "text/plain",
    size_bytes: text.length,
    content_base64: Buffer.from(text).toString("base64"),
    metadata: { from: "x" },
  });
  const artifacts = [artifact(1, "old", false), artifact(2, "new")];
  const problems = (expected: JsonObject): string[] =>
    artifactProblems(artifacts, expectedArtifact.parse(expected));

  it("are found by name and version", () => {
    expect(
      problems({ filename: "result.txt", version: 1, text_exact: "old", mime_type: "text/plain" }),
    ).toEqual([]);
    expect(problems({ filename_matches_regex: "result\\..*", content_contains: "new" })).toEqual([]);
    expect(problems({ filename: "result.txt", version: 3 })).toEqual([
      '"result.txt" has no version 3; it has 1, 2',
    ]);
    expect(problems({ filename: "other.txt" }).join()).toContain('"other.txt" is not there');
  });

  it("differ by type, bytes and metadata", () => {
    const differing = {
      filename: "result.txt",
      mime_type: "text/csv",
      content_base64_exact: "eA==",
      metadata_contains: { from: "y" },
    };
    expect(problems(differing)).toHaveLength(3);
    const state = artifactState.parse({ filename: "result.txt", namespace: "user" });
    expect(stateProblems(artifacts, state).join()).toContain("is not there");
    const keys = artifactState.parse({ filename: "result.txt", assert_metadata_schema_key_count: 2 });
    expect(stateProblems(artifacts, keys).join()).toContain("metadata has 1 keys, not 2");
  });
});

describe("what reached the downstream agent", () => {
  const request = {
    method: "message/send",
    headers: { authorization: "Bearer t" },
    body: { method: "message/send", params: { a: 1 } },
  };

  it("is compared in order", () => {
    expect(requestProblems([request], [{ params: { a: 1 } }])).toEqual([]);
    expect(requestProblems([request], [{}, {}]).join()).toContain(
      "2 requests are expected downstream, and 1 came",
    );
  });

  it("has the credentials that the test names", () => {
    expect(
      authProblems([request], { request_index: 0, authorization_header: { exact: "Bearer t" } }),
    ).toEqual([]);
    expect(
      authProblems([request], { request_index: 0, authorization_header: { exact: "" }, api_key_header: "k" }),
    ).toHaveLength(2);
    expect(authProblems([request], { request_index: 1 }).join()).toContain(
      "there is no downstream request 1",
    );
  });

  it("counts what the OAuth server was asked, and who was asked to cancel", () => {
    const asked = [{ token_url: "https://o.example/t", body: { grant_type: "client_credentials" } }];
    const url = "https://o.example/t";
    expect(
      tokenProblems(asked, {
        token_url: url,
        call_count: 1,
        request_body_contains: { grant_type: "client_credentials" },
      }),
    ).toEqual([]);
    expect(tokenProblems(asked, { token_url: url, call_count: 2 })).toHaveLength(1);
    const cancelled = { sent: true, downstream_task_ids: ["d"] };
    expect(
      cancellationProblems(cancelled, {
        gateway_sent: true,
        downstream_received: true,
        downstream_task_id: "*",
      }),
    ).toEqual([]);
    expect(
      cancellationProblems(cancelled, { downstream_received: false, downstream_task_id: "e" }),
    ).toHaveLength(2);
  });
});

describe("interactions with the model", () => {
  const call = { id: "c1", type: "function", function: { name: "search", arguments: "{}" } };
  const interactions = [
    { static_response: { choices: [{ message: { role: "assistant", tool_calls: [call] } }] } },
    {
      static_response: { choices: [{ message: { content: "done" } }] },
      expected_request: {
        tools_present: ["search"],
        tools_not_present: ["delete"],
        expected_tool_responses_in_llm_messages: [
          {
            tool_name: "search",
            tool_call_id_matches_prior_request_index: 0,
            response_json_matches: { found: 1 },
          },
        ],
      },
    },
  ].map((one) => modelInteraction.parse(one));
  const tools = [{ type: "function", function: { name: "search" } }];
  const chat = (content: string): JsonObject => ({
    tools,
    messages: [
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content },
    ],
  });

  it("are all used, and their requests are as expected", () => {
    const calls = [
      { interaction: 0, request: { tools } },
      { interaction: 1, request: chat('{"found":1,"more":2}') },
    ];
    expect(modelProblems(calls, interactions)).toEqual([]);
  });

  it("fail when one is missing, or a response differs", () => {
    expect(modelProblems([], interactions).join()).toContain(
      "was called 0 times, and 2 interactions are written",
    );
    const calls = [
      { interaction: 0, request: {} },
      { interaction: 1, request: chat('{"found":2}') },
    ];
    expect(modelProblems(calls, interactions)).toEqual([
      "llm_interactions[1]: the response.found is 2, not 1",
    ]);
  });
});

describe("a declarative test from an object", () => {
  it("has its checks", () => {
    const value = { test_case_id: "x", gateway_input: { target_agent_name: "a b", parts: [{ text: "hi" }] } };
    const suite = loadDeclarative(objectSource(value, { file: "x.mjs", folder: "/", variables: null }));
    expect(suite.agents[0]?.name).toBe("a-b");
    expect(suite.tests[0]?.checks.map(({ type }) => type)).toEqual(["llm_interactions"]);
  });
});
