// What a user who watches a mock OAuth server sees: where it is, a line for each request, and how many were refused.
import type { OAuthRequest } from "../../../core/oauth-script.ts";
import type { OAuthLabReady } from "../../compose/serve-labs.ts";
import { plural } from "../../terminal/amounts.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine, padEnd, truncate } from "../../terminal/text.ts";
import { clockTime, PIPE_COLUMNS, printDocument, printServed } from "./mock-screen.ts";
import type { CallReport } from "./serve-calls.ts";

const STATUS_COLUMNS = 3;
const ENDPOINT_COLUMNS = 20;
const HEAD_COLUMNS = 8 + 2 + STATUS_COLUMNS + 2 + ENDPOINT_COLUMNS + 2;
const FIRST_ERROR = 400;

export function createMockOAuthReport(
  screen: Screen,
  { json, title }: { json: boolean; title: string },
): CallReport<OAuthLabReady, OAuthRequest> {
  let requests = 0;
  let tokens = 0;
  let refused = 0;
  return {
    ready({ url, issuer, controlUrl, clients, name }) {
      if (json) {
        return printDocument(screen, {
          type: "ready",
          url,
          issuer,
          control_url: controlUrl,
          clients: [...clients],
        });
      }
      const { paint, width } = screen;
      printServed(screen, {
        title: name ?? title,
        each: "request",
        fields: [
          ["issuer", [paint.cyan(issuer)]],
          ...(issuer === url ? [] : [["address", [url]] as const]),
          ["control", [controlUrl]],
          ["clients", [truncate(oneLine(clients.join(", ")), (width ?? Infinity) - 14)]],
        ],
      });
    },
    call(request) {
      requests += 1;
      if (isRefused(request)) refused += 1;
      else if (request.endpoint === "token") tokens += 1;
      if (json) return printDocument(screen, { type: "request", ...request });
      screen.print(renderRequest(request, screen));
    },
    end() {
      if (json) return printDocument(screen, { type: "summary", requests, tokens, refused });
      const said = `${plural(requests, "request")}, ${plural(tokens, "token answer")}`;
      screen.print("", `${said}${refused === 0 ? "" : `, ${refused} refused`}`);
    },
  };
}

/** Whether the request was refused. The status 0 is a connection that was cut. */
function isRefused({ status, error }: OAuthRequest): boolean {
  return error !== undefined || status >= FIRST_ERROR || status === 0;
}

function renderRequest(request: OAuthRequest, { paint, width }: Screen): string {
  const { time, status, endpoint, method, path, faults = [], error, error_description: why } = request;
  const colour = isRefused(request) ? paint.red : faults.length > 0 ? paint.yellow : paint.green;
  const facts = [
    request.client_id,
    request.grant_type,
    faults.length === 0 ? undefined : `faults: ${faults.join(", ")}`,
    error,
    why,
  ];
  const essence = oneLine(facts.filter((fact) => fact !== undefined).join(" · "));
  const shown = truncate(essence, (width ?? PIPE_COLUMNS) - HEAD_COLUMNS);
  const name = endpoint === "none" ? `${method} ${path}` : endpoint;
  const place = padEnd(truncate(oneLine(name), ENDPOINT_COLUMNS), ENDPOINT_COLUMNS);
  const outcome = padEnd(status === 0 ? "cut" : String(status), STATUS_COLUMNS);
  return `${paint.dim(clockTime(time))}  ${colour(outcome)}  ${place}  ${shown}`.trimEnd();
}
