// What a user who watches a scripted agent sees: where it is, a line for each request, and how many there were.
import type { ScriptedAgentCall, ScriptedAgentReady } from "../../compose/serve-scripted-agent.ts";
import { plural } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine, padEnd, truncate } from "../../terminal/text.ts";
import { clockTime, PIPE_COLUMNS, printDocument, printServed } from "./mock-screen.ts";
import type { CallReport } from "./serve-calls.ts";

const STATUS_COLUMNS = 3;
const OPERATION_COLUMNS = 16;
const HEAD_COLUMNS = 8 + 2 + STATUS_COLUMNS + 2 + OPERATION_COLUMNS + 2;
const FIRST_ERROR = 400;

export function createScriptedAgentReport(
  screen: Screen,
  { json, title }: { json: boolean; title: string },
): CallReport<ScriptedAgentReady, ScriptedAgentCall> {
  let requests = 0;
  let refused = 0;
  return {
    ready({ addresses, cardUrl, controlUrl, scripts }) {
      if (json) {
        return printDocument(screen, {
          type: "ready",
          addresses: [...addresses],
          card_url: cardUrl,
          control_url: controlUrl,
          scripts: [...scripts],
        });
      }
      const { paint, width } = screen;
      const list =
        scripts.length === 0 ? "those that messages bring" : `${scripts.length}: ${scripts.join(", ")}`;
      printServed(screen, {
        title,
        each: "request",
        fields: [
          ["agent", addresses.map((address) => paint.cyan(address))],
          ["card", [cardUrl]],
          ["control", [controlUrl]],
          ["scripts", [truncate(oneLine(list), (width ?? Infinity) - 14)]],
        ],
      });
    },
    call(call) {
      requests += 1;
      if (isRefused(call)) refused += 1;
      if (json) return printDocument(screen, { type: "request", ...call });
      screen.print(renderRequest(call, screen));
    },
    end() {
      if (json) return printDocument(screen, { type: "summary", requests, refused });
      screen.print("", `${plural(requests, "request")}${refused === 0 ? "" : `, ${refused} refused`}`);
    },
  };
}

function isRefused({ status = 0, error }: ScriptedAgentCall): boolean {
  return error !== undefined || status >= FIRST_ERROR;
}

function renderRequest(call: ScriptedAgentCall, { paint, width }: Screen): string {
  const {
    time,
    status = 0,
    operation = `${call.method} ${call.path}`,
    version,
    binding,
    error,
    faults = [],
  } = call;
  const colour = isRefused(call) ? paint.red : faults.length > 0 ? paint.yellow : paint.green;
  const facts = [
    call.test_case_id ?? call.script,
    call.turn === undefined ? undefined : `turn ${call.turn}`,
    version === undefined ? undefined : `${version} ${binding ?? ""}`.trim(),
    faults.length === 0 ? undefined : `faults: ${faults.join(", ")}`,
    error,
  ];
  const essence = oneLine(facts.filter((fact) => fact !== undefined).join(" · "));
  const shown = truncate(essence, (width ?? PIPE_COLUMNS) - HEAD_COLUMNS);
  const name = padEnd(truncate(oneLine(operation), OPERATION_COLUMNS), OPERATION_COLUMNS);
  return `${paint.dim(clockTime(time))}  ${colour(padEnd(String(status), STATUS_COLUMNS))}  ${name}  ${shown}`.trimEnd();
}
