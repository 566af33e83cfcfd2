// One PostgreSQL server for all test files of a run. It is started when the first file asks, by this process, which outlives all of them.
import { createServer } from "node:http";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";

/** Where files ask for the server's address. */
export const POSTGRES_DESK = "PROCTOR_TEST_POSTGRES";

/** Called by vitest before the first file; returns what it calls after the last. */
export async function setup(): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const desk = createServer((_request, response) => {
    server ??= startPostgres();
    server.then(
      ({ url }) => response.end(url("")),
      (error: unknown) => {
        response.statusCode = 503;
        response.end(error instanceof Error ? error.message : "unknown");
      },
    );
  });
  await new Promise<void>((resolve) => void desk.listen(0, "127.0.0.1", resolve));
  const address = desk.address();
  if (address !== null && typeof address === "object") {
    process.env[POSTGRES_DESK] = `http://127.0.0.1:${address.port}/`;
  }
  desk.unref();
  return async () => {
    desk.close();
    await server?.then(
      ({ stop }) => stop(),
      () => undefined,
    );
  };
}
