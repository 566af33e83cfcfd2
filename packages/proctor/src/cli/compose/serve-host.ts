// What runs reach over HTTP besides the API, such as tools and models: loaded when the first run needs it, on the hub's own port where that
// is published, and otherwise on a port of its own.
import type { Listening } from "../../runtime/http/listen.ts";

interface LoadedHost {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

interface ServedHost<H> {
  load(): Promise<H>;
  fetch(request: Request): Promise<Response>;
  /** Sets the address at which the host is found. Only the first address counts. */
  publish(url: string): void;
  close(): Promise<void>;
}

/** Serves the host. `published` is the address at which the host is found, whatever is published later. */
export function serveHost<H extends LoadedHost>(
  create: (baseUrl: () => Promise<string>) => Promise<H>,
  published?: string,
): ServedHost<H> {
  let found = published;
  let loading: Promise<H> | undefined;
  let own: Promise<Listening> | undefined;

  const baseUrl = async (): Promise<string> => found ?? (own ??= listenAlone()).then(({ url }) => url);
  const load = (): Promise<H> => (loading ??= create(baseUrl));
  const answer = async (request: Request): Promise<Response> => (await load()).fetch(request);
  const listenAlone = async (): Promise<Listening> => {
    const { listen } = await import("../../runtime/http/listen.ts");
    return listen({ app: { fetch: answer }, host: "127.0.0.1", port: 0 });
  };

  return {
    load,
    fetch: answer,
    publish(url) {
      found ??= url;
    },
    async close() {
      await (await loading)?.close();
      await (await own)?.close(0);
    },
  };
}
