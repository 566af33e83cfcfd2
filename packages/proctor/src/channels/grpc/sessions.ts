// The connections of a gRPC server: which there are, whether the other end is still there, and how they all end.
import type { Http2Server, Http2Session } from "node:http2";

export interface Sessions {
  /** Takes no new calls, gives open ones `graceMs` to end, then cuts the connections. */
  close(graceMs: number): Promise<void>;
}

/** Time after which a connection without a call is closed, in milliseconds. */
const IDLE_MS = 5 * 60_000;
const MAX_UNANSWERED = 2;

export function trackSessions(server: Http2Server, keepAliveMs: number): Sessions {
  const sessions = new Set<Http2Session>();
  /** Number of pings since the last answer. */
  const unanswered = new WeakMap<Http2Session, number>();
  const quiet = new WeakMap<Http2Session, number>();
  const calls = new WeakMap<Http2Session, number>();

  server.on("session", (session) => {
    sessions.add(session);
    quiet.set(session, Date.now());
    session.once("close", () => sessions.delete(session));
    // Whatever a peer breaks ends its own connection and nothing else.
    session.on("error", () => session.destroy());
  });
  server.on("stream", (stream) => {
    const { session } = stream;
    if (session === undefined) return;
    calls.set(session, (calls.get(session) ?? 0) + 1);
    stream.once("close", () => {
      calls.set(session, (calls.get(session) ?? 1) - 1);
      quiet.set(session, Date.now());
    });
  });

  function check(session: Http2Session): void {
    if (session.closed || session.destroyed) return;
    const open = calls.get(session) ?? 0;
    const asked = unanswered.get(session) ?? 0;
    if (asked >= MAX_UNANSWERED) {
      session.destroy();
    } else if (open === 0 && Date.now() - (quiet.get(session) ?? 0) > IDLE_MS) {
      session.close();
    } else {
      unanswered.set(session, asked + 1);
      session.ping((error) => error ?? unanswered.set(session, 0));
    }
  }

  const timer = setInterval(() => {
    for (const session of sessions) check(session);
  }, keepAliveMs).unref();

  return {
    async close(graceMs) {
      clearInterval(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.close();
      const cut = setTimeout(() => {
        for (const session of sessions) session.destroy();
      }, graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}
