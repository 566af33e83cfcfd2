// A declarative test as a suite of one test, so that everything that runs suites runs it. Its agent is a stage, which plays the gateway's
// client, the downstream agent, the model and the OAuth server around a gateway of Proctor's.
import type { JsonObject } from "../../core/json.ts";
import { isJsonObject } from "../../core/json.ts";
import { shorten } from "../../core/shorten.ts";
import { inputParts } from "../../core/stage-script.ts";
import { MAX_DESCRIPTION_CHARS, type Task } from "../../core/task.ts";
import { checkValue } from "../../runtime/yaml/findings.ts";
import { problemsError } from "../../runtime/yaml/problem.ts";
import { problemAt, type Source } from "../format/source.ts";
import { DEFAULT_SCORING, type Suite } from "../suite.ts";
import { declarativeTest, STAGE_KEYS, type DeclarativeTest } from "./schema.ts";
import { stageChecks } from "./stage-checks.ts";

const PLACEHOLDER = "{{STATIC_FILE_SERVER_URL}}";

/** Tells a declarative test from a suite by the keys that only it has. */
export function isDeclarative(value: unknown): value is JsonObject {
  return isJsonObject(value) && "test_case_id" in value && !("tests" in value) && !("test_suite" in value);
}

/** Throws SUITE_INVALID with all problems. */
export function loadDeclarative(source: Source): Suite {
  const checked = checkValue(declarativeTest, source.value);
  const findings = checked.ok ? strayPlaceholders(checked.value) : checked.findings;
  const problems = [...source.problems, ...findings.map((finding) => problemAt(source, finding))];
  if (problems.length > 0 || !checked.ok) throw problemsError("SUITE_INVALID", problems);
  const test = checked.value;
  const {
    test_case_id: id,
    description,
    tags,
    gateway_input,
    expected_completion_timeout_seconds: seconds,
  } = test;
  const place = source.place(["test_case_id"]);
  const name = gateway_input.target_agent_name;
  return {
    file: source.file,
    name: id,
    ...(description !== "" && { description }),
    agents: [
      {
        name: agentName(name),
        protocol: "stage",
        transport: "builtin",
        command: [id],
        options: { test: JSON.stringify(scriptOf(test)) },
      },
    ],
    tests: [
      {
        ...place,
        id,
        name: id,
        ...(description !== "" && { description }),
        tags,
        task: taskOf(test),
        constraints: seconds === undefined ? {} : { timeout_seconds: seconds },
        runs: 1,
        checks: stageChecks(test, (key) => source.place([key], "key")),
        caseChecks: [],
        folder: source.folder,
        scoring: DEFAULT_SCORING,
      },
    ],
  };
}

/** Returns the part of the test that a stage plays, as one text, because its credentials are test data and not secrets to hide. */
function scriptOf(test: DeclarativeTest): JsonObject {
  const chosen = Object.fromEntries(STAGE_KEYS.map((key) => [key, test[key]]));
  return JSON.parse(JSON.stringify(chosen)) as JsonObject;
}

/** Returns the task to display: the text that the user of the gateway types. */
function taskOf({ gateway_input }: DeclarativeTest): Task {
  const text = inputParts(gateway_input)
    .map((part) => (part.type === "text" ? part.text : (part.name ?? part.filename ?? part.uri ?? "")))
    .join("\n");
  return { description: shorten(text, MAX_DESCRIPTION_CHARS - 100) };
}

/** Returns a valid name, because the origin's agent names may contain characters that Proctor's must not. */
function agentName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9._-]/g, "-").replace(/^[^A-Za-z0-9]+/, "") || "agent";
}

function strayPlaceholders({
  gateway_input,
}: DeclarativeTest): { path: string[]; at: "value"; message: string; hint: string }[] {
  if (!JSON.stringify(gateway_input).includes(PLACEHOLDER)) return [];
  const message = `${PLACEHOLDER} names a server of the origin's tests, which a stage does not have`;
  return [{ path: ["gateway_input"], at: "value", message, hint: "give the file as content_base64" }];
}
