// Options that every mock that answers calls takes.

export interface ServeMockOptions<Ready, Call> {
  host: string;
  port: number;
  onReady: (info: Ready) => void;
  /** Called with every call before it is answered. The answer waits for it. */
  onCall: (call: Call) => Promise<void>;
  /** Stops the mock when aborted. */
  signal: AbortSignal;
}
