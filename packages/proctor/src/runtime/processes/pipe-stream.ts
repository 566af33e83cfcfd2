// The reading end of a pipe as a stream; and a way around the stream for readers of gigabytes: each chunk is seen where it was
// read, in memory that is used again, so that nothing is allocated for it and collected after it.
import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { Socket, type SocketConstructorOpts } from "node:net";
import { Readable } from "node:stream";

interface DirectReading {
  /** Stops reading, or resumes it. */
  wait(paused: boolean): void;
  /** Enlarges the pipe, because more output arrives than usual. */
  widen(): void;
  /** Reads and drops the rest, so that a writer neither waits nor dies; the stream no longer keeps this process alive. */
  letGo(): void;
}

type Take = (bytes: Buffer) => void;

const direct = new WeakMap<NodeJS.ReadableStream, (take: Take) => DirectReading>();

/** Reads chunks into `take`, which may use the bytes only during the call. The stream has no other reader; it still emits its end. */
export function readDirectly(stream: NodeJS.ReadableStream, take: Take): DirectReading {
  return direct.get(stream)?.(take) ?? readAsStream(stream, take);
}

/** The stream owns the descriptor and closes it. */
export function createPipeStream(fd: number): Readable {
  let socket: Socket | undefined;
  let isDirect = false;

  function open(options: SocketConstructorOpts): Socket {
    return new Socket({ fd, readable: true, writable: false, ...options })
      .on("end", () => stream.push(null))
      .on("close", () => stream.push(null))
      .on("error", (error) => stream.destroy(error));
  }

  function openAsStream(): Socket {
    const source = open({});
    return source.on("data", (chunk: Buffer) => {
      if (!stream.push(chunk)) source.pause();
    });
  }

  const stream = new Readable({
    read() {
      if (isDirect) return;
      socket ??= openAsStream();
      socket.resume();
    },
    destroy(error, done) {
      if (socket === undefined) closeSync(fd);
      else socket.destroy();
      done(error);
    },
  });

  direct.set(stream, (take) => {
    let current = take;
    let isWide = false;
    isDirect = true;
    const callback = (length: number): boolean => {
      current(SHARED.subarray(0, length));
      return true;
    };
    // Node has this option, but its types do not.
    const source = open({ onread: { buffer: SHARED, callback } } as SocketConstructorOpts);
    socket = source;
    source.resume();
    // The stream itself receives nothing but its end.
    stream.resume();
    return {
      wait: (paused) => void (paused ? source.pause() : source.resume()),
      widen() {
        if (!isWide && !source.destroyed) widenPipe(fd);
        isWide = true;
      },
      letGo() {
        current = () => undefined;
        source.resume();
        source.unref();
      },
    };
  });
  return Object.assign(stream, { unref: () => void socket?.unref() });
}

/** All pipes share one buffer: it is in use only from a read to the end of the call that follows at once. */
const SHARED = Buffer.alloc(256 * 1024);

function readAsStream(stream: NodeJS.ReadableStream, take: Take): DirectReading {
  stream.on("data", take);
  return {
    wait: (paused) => void (paused ? stream.pause() : stream.resume()),
    widen: () => undefined,
    letGo() {
      stream.removeListener("data", take);
      stream.resume();
      if ("unref" in stream && typeof stream.unref === "function") stream.unref();
    },
  };
}

/** Perl program that calls fcntl with F_SETPIPE_SZ, which Node cannot. Without perl the pipe keeps its size. */
const WIDEN = 'open(my $pipe, "<&=", 3) and fcntl($pipe, 1031, 1048576)';

function widenPipe(fd: number): void {
  spawn("perl", ["-e", WIDEN], { stdio: ["ignore", "ignore", "ignore", fd] })
    .on("error", () => undefined)
    .unref();
}
