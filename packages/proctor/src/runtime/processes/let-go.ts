// A process that a program left running may still write to the program's output. It is read and dropped, so that the process neither
// waits nor dies of a broken pipe, and our own process can end meanwhile.

export function letGo(stream: NodeJS.ReadableStream): void {
  stream.removeAllListeners("data");
  stream.resume();
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}
