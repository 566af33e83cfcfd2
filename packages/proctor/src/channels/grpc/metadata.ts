// Which headers a call can carry as metadata: gRPC over HTTP/2, "Custom-Metadata".

/** gRPC and HTTP/2 speak through these themselves. */
const RESERVED =
  /^(grpc-.*|te|content-type|content-length|host|connection|keep-alive|proxy-connection|transfer-encoding|upgrade)$/i;
const NAME = /^[0-9a-z_.-]+$/i;
/** gRPC over HTTP/2, "ASCII-Value". */
const VALUE = /^[\x20-\x7e]*$/;

/** What is wrong with the first one that cannot be sent. Values are secrets: what is refused is named, not shown. */
export function metadataProblem(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (!NAME.test(name) || RESERVED.test(name))
      return `the agent's header "${name}" cannot be sent over gRPC`;
    if (!VALUE.test(value)) {
      return `the value of the agent's header "${name}" cannot be sent over gRPC: it is not printable ASCII`;
    }
  }
  return undefined;
}
