// One HTTP call that sends JSON and receives JSON, without the time limits of `fetch`: a tool may take as long as its task.
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { MAX_MESSAGE_BYTES } from "../protocol/messages.ts";

export interface HttpAnswer {
  status: number;
  text: string;
}

/** Does not follow redirects. Rejects when there is no answer, when it is too large, and when the signal aborts. */
export function postJson(url: URL, body: string, signal: AbortSignal): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === "https:" ? requestHttps : requestHttp;
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const request = open(url, { method: "POST", headers, signal, agent: false });
    request.once("error", reject);
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_MESSAGE_BYTES) request.destroy(new Error("the answer is larger than 10 MB"));
        else chunks.push(chunk);
      });
      response.once("error", reject);
      response.once("close", () => reject(new Error("the answer was cut off")));
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    request.end(body);
  });
}
