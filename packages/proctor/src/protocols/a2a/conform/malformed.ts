// Requests that are wrong in a way of their own, each to be answered with an error.
import type { Endpoint } from "./endpoint.ts";
import { below, type RawRequest } from "./raw-request.ts";

const DEEP = 5000;

const BODIES: Readonly<Record<string, string | Uint8Array>> = {
  "an empty body": "",
  "half a document": '{"jsonrpc":"2.0","id":1,"method":"Send',
  null: "null",
  "a number": "42",
  "a text": '"hello"',
  "an empty list": "[]",
  "a list of numbers": "[1,2,3]",
  "bytes that are no UTF-8": Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d),
  "a document that is nested deeply": "[".repeat(DEEP) + "]".repeat(DEEP),
  "a method that is a number": '{"jsonrpc":"2.0","id":1,"method":7}',
  "parameters that are a text": '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":"hello"}',
  "parameters that are a list": '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[1]}',
  "an id that is an object": '{"jsonrpc":"2.0","id":{},"method":"GetTask","params":{"id":"x"}}',
  "a message that is a text":
    '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":"hello"},"message":"hello"}',
  "parts that are no list":
    '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":{}}},"message":{"messageId":"m","role":"ROLE_USER","parts":{}}}',
  "a part that is null":
    '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[null]}},"message":{"messageId":"m","role":"ROLE_USER","parts":[null]}}',
  "a task's id that is a number": '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":7},"message":7}',
  "the name of a prototype": '{"jsonrpc":"2.0","id":1,"method":"__proto__","params":{"__proto__":{}}}',
};

export interface Malformed {
  what: string;
  request: RawRequest;
}

export function malformedRequests(endpoint: Endpoint, headers: Record<string, string>): Malformed[] {
  const url = endpoint.binding === "JSONRPC" ? endpoint.url : below(endpoint, "/message:send");
  const type = { "content-type": "application/json", accept: "application/json", ...headers };
  const bodies = Object.entries(BODIES).map(([what, body]): Malformed => ({
    what,
    request: { url, method: "POST", headers: type, body },
  }));
  if (endpoint.binding === "JSONRPC") return bodies;
  return [
    ...bodies,
    { what: "a path that does not exist", request: { url: below(endpoint, "/no/such/path"), headers } },
    {
      what: "an id with an escape that is none",
      request: { url: below(endpoint, "/tasks/%E0%A4%A"), headers },
    },
    {
      what: "a method that a path does not have",
      request: { url: below(endpoint, "/message:send"), method: "PUT", headers: type, body: "{}" },
    },
  ];
}
