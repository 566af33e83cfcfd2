// What is wrong in a file of ACTS is said with its place, everything at once.
import { describe, expect, it } from "vitest";
import { HEAD, problemsOf, STEP, withSteps } from "../../../../test/support/a2a/acts-files.ts";

describe("A mistake in a file of ACTS has its place:", () => {
  it.each<[string, string, string]>([
    [
      "an unknown key",
      withSteps("- id: a\n  operation: get_task\n  prams: {}\n"),
      ':13:13  unknown key "prams"\n   did you mean "params"?',
    ],
    [
      "a wrong type",
      withSteps(STEP).replace("level: must", "level: maybe"),
      ':9:16  "level" must be "must" or "should" or "may"',
    ],
    [
      "an unknown operation",
      withSteps("- id: a\n  operation: get_tsk\n"),
      ':12:24  "operation" must be "send_message" or',
    ],
    [
      "a step of no kind",
      withSteps("- id: a\n"),
      ":11:13  a step has one of operation, raw, client_response, expect_webhook, assertion",
    ],
    [
      "a step of two kinds",
      withSteps("- id: a\n  operation: get_task\n  raw: {method: GET, path: /}\n"),
      "a step has one of operation",
    ],
    [
      "an older key",
      withSteps("- id: a\n  operation: get_task\n  expect_error: {code: X}\n"),
      ':13:28  unknown key "code"\n   the name of an error is its error_type',
    ],
    [
      "a step id that is there twice",
      withSteps(STEP + STEP),
      ":14:17  another step of this test has the id send",
    ],
    [
      "an unknown error",
      withSteps("- id: a\n  operation: get_task\n  expect_error: {error_type: TaskNotFonudError}\n"),
      'there is no error "TaskNotFonudError"\n   did you mean "TaskNotFoundError"?',
    ],
    [
      "an unknown variable",
      withSteps('- id: a\n  operation: get_task\n  params: {id: "{{webhokUrl}}"}\n'),
      ':13:26  there is no variable {{webhokUrl}}\n   did you mean "webhookUrl"?',
    ],
    [
      "a variable of a later step",
      withSteps(`- id: a\n  operation: get_task\n  params: {id: "{{send.id}}"}\n${STEP}`),
      ":13:26  no step before this has the id send",
    ],
    [
      "a variable that is not captured",
      withSteps(`${STEP}- id: a\n  operation: get_task\n  params: {id: "{{send.taskId}}"}\n`),
      "the step send captures no taskId",
    ],
    [
      "something else in braces",
      withSteps('- id: a\n  operation: get_task\n  params: {id: "{{a b}}"}\n'),
      "{{a b}} is no variable",
    ],
    [
      "a variable that leads to itself",
      `${HEAD}variables: {a: "{{b}}", b: "{{a}}"}\n${withSteps(STEP).slice(HEAD.length)}`,
      ":3:16  {{a}} leads back to itself",
    ],
    [
      "a path",
      withSteps("- id: a\n  operation: get_task\n  capture: {x: a..b}\n"),
      ':13:26  the path "a..b" has no meaning in ACTS',
    ],
    [
      "a condition",
      withSteps("- id: a\n  operation: get_task\n  repeat: {until: done}\n"),
      ":13:29  a condition is",
    ],
    [
      "a pattern",
      withSteps('- id: a\n  operation: get_task\n  expect: {body: {x: {matches: "("}}}\n'),
      ":13:42  this is no regular expression",
    ],
    [
      "an operator with false",
      withSteps("- id: a\n  operation: get_task\n  expect: {body: {x: {exists: false}}}\n"),
      '"exists" takes true alone\n   write absent: true',
    ],
    [
      "an assertion that asserts nothing",
      withSteps("- id: a\n  operation: get_task\n  assertions: [{source: a.response}]\n"),
      "an assertion has one of match, any, all and none",
    ],
    [
      "a source",
      withSteps("- id: a\n  assertion: {source: b.response, match: {}}\n"),
      "no step before this has the id b",
    ],
    [
      "raw steps without a transport",
      withSteps("- id: a\n  raw: {method: GET, path: /}\n"),
      ":7:9  a test of raw steps alone names its transport",
    ],
    [
      "raw steps over gRPC",
      withSteps("- id: a\n  raw: {method: GET, path: /}\n", "transport: [grpc]\n"),
      "a raw step cannot be sent over gRPC",
    ],
    [
      "a body of a GET",
      withSteps("- id: a\n  raw: {method: GET, path: /, body: {}}\n", "transport: [rest]\n"),
      "a GET request has no body",
    ],
    [
      "two bodies",
      withSteps('- id: a\n  raw: {method: POST, path: /, body: {}, body_raw: ""}\n', "transport: [rest]\n"),
      "either body or body_raw",
    ],
    [
      "a webhook that is not declared",
      withSteps("- id: a\n  expect_webhook: {task_id: t}\n"),
      "this test needs runner_requirements: [webhook_endpoint]",
    ],
    [
      "streams that are not declared",
      withSteps(
        "- id: a\n  operation: send_streaming_message\n  expect_stream: {streams: [{disconnect_after: 1}]}\n",
      ),
      "runner_requirements: [stream_disconnect]",
    ],
    [
      "a stream of an operation that has none",
      withSteps("- id: a\n  operation: get_task\n  expect_stream: {min_count: 1}\n"),
      "get_task has no stream",
    ],
    [
      "an answer and an error",
      withSteps("- id: a\n  operation: get_task\n  expect: {body: {}}\n  expect_error: {}\n"),
      "either an answer or an error",
    ],
    [
      "counts that exclude each other",
      withSteps("- id: a\n  operation: subscribe_to_task\n  expect_stream: {min_count: 2, max_count: 1}\n"),
      "min_count is greater than max_count",
    ],
    [
      "a client's answer that nobody looks at",
      withSteps("- id: a\n  client_response: {operation: get_task, wire_payload: {}}\n"),
      'missing key "expect_parsed"',
    ],
    [
      "another major version",
      withSteps(STEP).replace('acts_version: "1.0"', 'acts_version: "2.0"'),
      ":1:15  this version of ACTS is not known here",
    ],
    [
      "another version of A2A",
      withSteps(STEP).replace('spec_version: "1.0"', 'spec_version: "0.3"'),
      ":2:15  tests are tried in A2A 1.0 alone",
    ],
    ["a document without tests", HEAD, ":1:1  a document has suites, or includes files that have"],
  ])("%s", async (_what, text, message) => {
    expect(await problemsOf(text)).toContain(`a.acts.yaml${message.startsWith(":") ? message : ""}`);
    expect(await problemsOf(text)).toContain(message);
  });

  it("ids of tests and suites that two files share, and every other mistake beside them", async () => {
    const wrong = withSteps("- id: a\n  operation: x\n").replace("T-1", "T-2");
    const shown = await problemsOf({
      "a.acts.yaml": withSteps(STEP),
      "b.acts.yaml": withSteps(STEP),
      "c.yaml": wrong,
    });
    expect(shown).toContain("b.acts.yaml:4:9  there is another suite s\n   it is at a.acts.yaml:4:9");
    expect(shown).toContain("b.acts.yaml:7:13  there is another test T-1");
    expect(shown).toContain("c.yaml:12:24");
  });
});
