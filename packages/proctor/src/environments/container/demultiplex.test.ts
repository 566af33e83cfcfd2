import * as fc from "fast-check";
import { once } from "node:events";
import { PassThrough, Readable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { demultiplex } from "./demultiplex.ts";
import { readFirstLine } from "./first-line.ts";
import { openOutlet } from "./outlet.ts";
import { propertyRuns } from "../../../test/support/property-runs.ts";

function frame(stream: number, content: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content]);
}

async function read(stream: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces).toString("hex");
}

async function takeApart(pieces: Iterable<Uint8Array>): Promise<[stdout: string, stderr: string]> {
  const source = Readable.from(pieces, { objectMode: false });
  const stdout = openOutlet(() => source.resume());
  const stderr = openOutlet(() => source.resume());
  const both = Promise.all([read(stdout.stream), read(stderr.stream)]);
  await demultiplex(source, stdout, stderr);
  stdout.end();
  stderr.end();
  return both;
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)), bytes.length].toSorted(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

describe("an engine's stream", () => {
  it("comes apart the same, wherever it is cut", async () => {
    const frames = fc.array(fc.tuple(fc.integer({ min: 1, max: 2 }), fc.uint8Array({ maxLength: 40 })), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(frames, fc.array(fc.nat(), { maxLength: 30 }), async (all, places) => {
        const bytes = Buffer.concat(all.map(([stream, content]) => frame(stream, content)));
        const of = (wanted: number): string =>
          Buffer.concat(all.filter(([stream]) => stream === wanted).map(([, content]) => content)).toString(
            "hex",
          );
        expect(await takeApart(cut(bytes, places))).toEqual([of(1), of(2)]);
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it("keeps what came before it breaks off, also in the middle of a frame", async () => {
    const whole = frame(1, Buffer.from("all of it"));
    expect(await takeApart([whole.subarray(0, 12)])).toEqual([Buffer.from("all ").toString("hex"), ""]);
  });

  it("says so when it has no frames", async () => {
    const [stdout, stderr] = await takeApart([Buffer.from("HTTP/1.1 500 something")]);
    expect(stdout).toBe("");
    expect(Buffer.from(stderr, "hex").toString()).toContain("no frames");
  });

  it("waits for a reader that waits, and goes on when it reads", async () => {
    const source = new PassThrough();
    const resume = (): void => {
      if (stdout.ready() && stderr.ready()) source.resume();
    };
    const stdout = openOutlet(resume);
    const stderr = openOutlet(resume);
    const over = demultiplex(source, stdout, stderr);
    const piece = frame(1, Buffer.alloc(10_000));
    let taken = 0;
    for (; taken < 1000 && source.write(piece); taken++) await turn();
    expect(taken).toBeLessThan(100);
    const drained = once(source, "drain");
    stdout.stream.resume();
    stderr.stream.resume();
    await drained;
    source.end();
    await over;
  });

  it("does not wait for a reader that is gone", async () => {
    const source = new PassThrough();
    const stdout = openOutlet(() => source.resume());
    const stderr = openOutlet(() => source.resume());
    const over = demultiplex(source, stdout, stderr);
    stdout.stream.destroy();
    for (let count = 0; count < 100; count++)
      if (!source.write(frame(1, Buffer.alloc(10_000)))) await once(source, "drain");
    source.end();
    await over;
  });
});

describe("the first line of a program in a container", () => {
  it("is the process id, wherever it is cut, and the rest is the program's", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4_194_304 }),
        fc.uint8Array(),
        fc.array(fc.nat(), { maxLength: 5 }),
        (pid, rest, places) => {
          let found: number | undefined;
          const line = readFirstLine((number) => (found = number));
          const pieces = cut(Buffer.concat([Buffer.from(`${pid}\n`), rest]), places).flatMap(
            (piece) => line.take(piece) ?? [],
          );
          expect(found).toBe(pid);
          expect(Buffer.concat([...pieces, line.rest()])).toEqual(Buffer.from(rest));
        },
      ),
    );
  });

  it("is given back when it is something else", () => {
    const found: (number | undefined)[] = [];
    const line = readFirstLine((number) => found.push(number));
    expect(line.take(Buffer.from("OCI runtime"))).toBeUndefined();
    expect(String(line.take(Buffer.from(" failed\nreally")))).toBe("OCI runtime failed\nreally");
    expect(found).toEqual([undefined]);
  });
});
