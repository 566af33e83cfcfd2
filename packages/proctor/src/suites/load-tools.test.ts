import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Matcher, MockAnswer, MockRule, ToolSet } from "../core/tools.ts";
import { loadTools } from "./load-tools.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "proctor-tools-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function load(text: string, variables: Record<string, string> = {}): Promise<ToolSet> {
  const file = join(folder, "tools.yaml");
  await writeFile(file, text);
  return loadTools(file, { variables });
}

/** The problems, with the temporary folder cut off. */
async function problems(text: string): Promise<string[]> {
  const error: unknown = await load(text).then(
    () => new Error("no problem"),
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: "SUITE_INVALID" });
  return (error as Error).message.replaceAll(`${folder}/`, "").split("\n");
}

function rule(when: Matcher | undefined, answer: MockAnswer | MockAnswer[]): MockRule {
  // oxlint-disable-next-line unicorn/no-thenable -- the format's own key; its value is never a function
  return { ...(when && { when }), then: answer };
}

describe("a file of the ATP platform's mock tools", () => {
  test("is read without a change", async () => {
    const set = await load(`
name: search mocks
description: For the competitor tests.
default_delay_ms: 20
tools:
  - name: web_search
    description: Searches the web
    responses:
      - when: {type: contains, field: query, pattern: Slack}
        then: {output: {results: [{title: Teams}]}, delay_ms: 100}
      - when: {type: regex, field: query, pattern: "(?i)^error"}
        then: {error: Rate limited, status: error, output: null}
      - when: {type: exact, field: query, pattern: nothing}
        then: {output: "", error: null, status: success}
      - when: {type: any}
        then: {output: anything}
      - when:
        then: {}
    default:
      output: {results: []}
  - name: file_write
    default: {}
`);
    expect(set).toEqual({
      name: "search mocks",
      description: "For the competitor tests.",
      default_delay_ms: 20,
      tools: [
        {
          name: "web_search",
          description: "Searches the web",
          responses: [
            rule(
              { type: "contains", field: "query", pattern: "Slack" },
              { output: { results: [{ title: "Teams" }] }, delay_ms: 100 },
            ),
            rule(
              { type: "regex", field: "query", pattern: "(?i)^error" },
              { error: "Rate limited", status: "error" },
            ),
            rule({ type: "exact", field: "query", pattern: "nothing" }, { output: "", status: "success" }),
            rule({ type: "any" }, { output: "anything" }),
            rule(undefined, {}),
          ],
          default: { output: { results: [] } },
        },
        { name: "file_write", default: {} },
      ],
    });
  });
});

describe("a file of tools", () => {
  test("takes paths from its own folder and fills in variables", async () => {
    const set = await load(
      `
tools:
  - name: s
    responses:
      - when: {type: json_path, field: "$.items[*].id", pattern: 7}
        then: [{output: 1}, {error: no, error_code: GONE, http_status: 410}]
      - when: {type: exact, pattern: {a: [1, null]}}
        then: {output: [1]}
  - {name: f, forward: {url: "https://api.example.com/x", headers: {authorization: "Bearer \${KEY}"}, timeout_ms: 500}}
  - {name: r, record: {url: "http://localhost:1/x", file: rec/calls.jsonl}}
  - {name: p, replay: {file: /abs/calls.jsonl}}
mcp:
  - {command: npx -y 'a server', env: {TOKEN: "\${KEY}"}, tools: [a], timeout_ms: 60000}
  - {command: [node, server.mjs], cwd: sub}
  - {url: "http://localhost:2/mcp", headers: {x: y}}
`,
      { KEY: "k" },
    );
    expect(set.tools).toMatchObject([
      {
        responses: [
          rule({ type: "json_path", field: "$.items[*].id", pattern: 7 }, [
            { output: 1 },
            { error: "no", error_code: "GONE", http_status: 410 },
          ]),
          { when: { type: "exact", pattern: { a: [1, null] } } },
        ],
      },
      {
        forward: {
          url: "https://api.example.com/x",
          headers: { authorization: "Bearer k" },
          timeout_ms: 500,
        },
      },
      { record: { url: "http://localhost:1/x", file: join(folder, "rec/calls.jsonl") } },
      { replay: { file: "/abs/calls.jsonl" } },
    ]);
    expect(set.mcp).toEqual([
      {
        command: ["npx", "-y", "a server"],
        env: { TOKEN: "k" },
        tools: ["a"],
        timeout_ms: 60_000,
        cwd: folder,
      },
      { command: ["node", "server.mjs"], cwd: join(folder, "sub") },
      { url: "http://localhost:2/mcp", headers: { x: "y" } },
    ]);
  });

  test("may have only MCP servers", async () => {
    expect(await load("mcp: [{url: 'http://localhost/mcp'}]")).toMatchObject({ tools: [], mcp: [{}] });
  });

  test("says where the programs of its servers run", async () => {
    const server = "mcp: [{url: 'http://localhost/mcp'}]";
    expect(await load(`environment: bwrap\n${server}`)).toMatchObject({ environment: { kind: "bwrap" } });
    const hosts = "{kind: container, network: allow-list, allow_hosts: [a.org]}";
    expect((await load(`environment: ${hosts}\n${server}`)).environment).toEqual({
      kind: "container",
      network: "allow-list",
      allow_hosts: ["a.org"],
    });
  });

  const tool = (rest: string): string => `tools:\n  - name: t\n    ${rest}\n`;
  const when = (matcher: string): string => tool(`responses: [{when: ${matcher}, then: {}}]`);

  test.each<[string, string, string[]]>([
    [
      "an unknown key",
      "nmae: x\ntools: []",
      ['tools.yaml:1:1  unknown key "nmae"', '   did you mean "name"?'],
    ],
    [
      "an environment that is none",
      "environment: docker\ntools: []",
      ['tools.yaml:1:14  this entry must be "bwrap" or "container" or "local"'],
    ],
    [
      "hosts without the network that is for them",
      "environment: {kind: bwrap, allow_hosts: [a.org]}\ntools: []",
      [
        'tools.yaml:1:14  "allow_hosts" and the network "allow-list" belong together',
        "   give both, or neither",
      ],
    ],
    [
      "an unknown key of a tool",
      tool("respones: []"),
      ['tools.yaml:3:5  unknown key "respones"', '   did you mean "responses"?'],
    ],
    [
      "an unknown key of an answer",
      tool("default: {outptu: 1}"),
      ['tools.yaml:3:15  unknown key "outptu"', '   did you mean "output"?'],
    ],
    [
      "an unknown key inside a sequence",
      tool("responses: [{then: [{output: 1}, {dealy_ms: 1}]}]"),
      ['tools.yaml:3:39  unknown key "dealy_ms"', '   did you mean "delay_ms"?'],
    ],
    [
      "an unknown kind of matcher",
      when("{type: regexp, pattern: x}"),
      [
        'tools.yaml:3:31  "type" must be "exact" or "contains" or "regex" or "json_path" or "any"',
        '   did you mean "regex"?',
      ],
    ],
    ["a matcher without a kind", when("{pattern: x}"), ['tools.yaml:3:24  missing key "type"']],
    [
      "a pattern that is none",
      when("{type: regex, pattern: '(a'}"),
      [expect.stringMatching(/^tools\.yaml:3:47 {2}"pattern" is no regular expression: .*group/)],
    ],
    ["no pattern", when("{type: contains, field: a}"), ['tools.yaml:3:24  missing key "pattern"']],
    [
      "a pattern that is no text",
      when("{type: contains, pattern: 5}"),
      ['tools.yaml:3:50  "pattern" must be text', "   put it in quotes"],
    ],
    [
      "a pattern that means nothing",
      when("{type: any, pattern: x}"),
      ['tools.yaml:3:24  "any" matches every call', '   remove "field" and "pattern", or name another type'],
    ],
    [
      "a JSON path that is none",
      when("{type: json_path, field: '$.a[?]'}"),
      ['tools.yaml:3:49  the path "$.a[?]" cannot be read from its character 4 on'],
    ],
    [
      "no JSON path",
      when("{type: json_path, pattern: 1}"),
      ['tools.yaml:3:24  missing key "field"', '   with "json_path" it is the path, like $.items[0].id'],
    ],
    [
      "a tool that does nothing",
      tool("description: d"),
      [
        "tools.yaml:2:5  this tool says nothing about what it answers",
        '   give it one of: "responses" or "default", "forward", "record", "replay"',
      ],
    ],
    [
      "a tool that does two things",
      tool("default: {}\n    replay: {file: x}"),
      [
        'tools.yaml:4:5  a tool has one behaviour, and this one has "default" and "replay"',
        '   keep one of: "responses" or "default", "forward", "record", "replay"',
      ],
    ],
    [
      "two tools of one name",
      "tools:\n  - {name: t, default: {}}\n  - {name: t, default: {}}",
      ['tools.yaml:3:12  tool "t" is here twice', '   entry 1 of "tools" has the same name'],
    ],
    [
      "a name that no URL can have",
      "tools: [{name: a b, default: {}}]",
      ["tools.yaml:1:16  a tool's name stands in a URL: it has no blank and none of / ? # %"],
    ],
    [
      "an empty sequence",
      tool("responses: [{then: []}]"),
      ['tools.yaml:3:24  "then" needs at least one answer'],
    ],
    [
      "a status that HTTP does not have",
      tool("default: {http_status: 99}"),
      ['tools.yaml:3:28  "http_status" must be at least 200'],
    ],
    [
      "a URL that is none",
      tool("forward: {url: 'ftp://x'}"),
      ['tools.yaml:3:20  "url" is not valid here', "   write it like http://host:port/path"],
    ],
    [
      "a URL of another kind",
      tool("forward: {url: 'ws://x'}"),
      ['tools.yaml:3:20  "url" is not valid here', "   write it like http://host:port/path"],
    ],
    ["a server that is nothing", "mcp: [{tools: [a]}]", ['tools.yaml:1:7  missing "command" or "url"']],
    [
      "a server that is two things",
      "mcp: [{command: x, url: 'http://localhost'}]",
      ['tools.yaml:1:7  give "command" or "url", not both'],
    ],
    [
      "headers for a program",
      "mcp: [{command: x, headers: {a: b}}]",
      ['tools.yaml:1:20  "headers" belongs to a server with "url"'],
    ],
    ["nothing", "", ["tools.yaml:1:1  the file is empty"]],
  ])("is refused for %s, with the place", async (_what, text, expected) => {
    expect(await problems(text)).toEqual(expected);
  });

  test("has an error of its own when it does not exist", async () => {
    await expect(loadTools(join(folder, "missing.yaml"))).rejects.toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
