// The labs of one run: opened when it starts, closed with it. Every request to them is a call that the platform observes.
import { LAB_VARIABLES } from "../../core/labs.ts";
import type { OAuthRequest } from "../../core/oauth-script.ts";
import type { LabHost, LabSession, OpenLabs } from "../../core/ports/lab-host.ts";
import type { PushDelivery } from "../../core/push-script.ts";
import type { ObservedCall } from "../../core/tools.ts";
import { openOAuthLab } from "./oauth/open-oauth-lab.ts";
import { openPushReceiver } from "./push/open-push-receiver.ts";

interface OpenedLab {
  url: string;
  close(): Promise<void>;
}

const ANYWHERE = { host: "127.0.0.1", port: 0 };
const FIRST_ERROR = 400;
const FIRST_REFUSAL = 300;

export const labHost: LabHost = {
  async open({ labs, onCall }: LabSession): Promise<OpenLabs> {
    const opened: [keyof typeof LAB_VARIABLES, OpenedLab][] = [];
    const close = async (): Promise<void> => {
      await Promise.all(opened.map(([, lab]) => lab.close()));
    };
    try {
      if (labs.oauth) {
        const onRequest = (request: OAuthRequest): Promise<void> => onCall(callOfRequest(request));
        opened.push(["oauth", await openOAuthLab({ ...ANYWHERE, script: labs.oauth, onRequest })]);
      }
      if (labs.push) {
        const onDelivery = (delivery: PushDelivery): Promise<void> => onCall(callOfDelivery(delivery));
        opened.push(["push", await openPushReceiver({ ...ANYWHERE, script: labs.push, onDelivery })]);
      }
    } catch (error) {
      await close();
      throw error;
    }
    return {
      env: Object.fromEntries(opened.map(([name, { url }]) => [LAB_VARIABLES[name], url])),
      ports: opened.map(([, { url }]) => Number(new URL(url).port)),
      close,
    };
  },
};

/** Returns the call for a request, such as `oauth.token`, with the parameters as its input. */
function callOfRequest(request: OAuthRequest): ObservedCall {
  const { endpoint, method, path, parameters, client_id: client, status, error, faults } = request;
  return {
    tool: `oauth.${endpoint}`,
    input: { method, path, ...parameters, ...(client !== undefined && { client_id: client }) },
    output: { ...(faults && { faults }) },
    ...outcome(status, status > 0 && status < FIRST_ERROR && error === undefined),
    ...(error !== undefined && { error, error_code: error }),
  };
}

/** Returns the call `push.delivery`, whose input is the content of the delivery and what was found out about it. */
function callOfDelivery(delivery: PushDelivery): ObservedCall {
  const { status, faults, time: _time, headers: _headers, ...told } = delivery;
  return {
    tool: "push.delivery",
    input: told,
    output: { ...(faults && { faults }) },
    ...outcome(status, status > 0 && status < FIRST_REFUSAL),
  };
}

function outcome(
  status: number,
  isGood: boolean,
): Pick<ObservedCall, "status" | "http_status" | "duration_ms" | "mode"> {
  return {
    status: isGood ? "success" : "error",
    ...(status !== 200 && { http_status: status }),
    duration_ms: 0,
    mode: "lab",
  };
}
