// A program that passes connections on: `node forward.mjs <listen> <target> …`, each `host:port` or the path of a socket. Sockets with a path
// reach across network namespaces, so this is how a test outside of them talks to what is inside.
import { connect, createServer } from "node:net";

const place = (text) => {
  if (text.startsWith("/")) return { path: text };
  const [host, port] = text.split(":");
  return { host, port: Number(port) };
};

const places = process.argv.slice(2).map(place);
for (let index = 0; index < places.length; index += 2) {
  const target = places[index + 1];
  const server = createServer((incoming) => {
    const outgoing = connect(target);
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ]) {
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
    }
    incoming.pipe(outgoing).pipe(incoming);
  });
  await new Promise((resolve) => server.listen(places[index], resolve));
}
console.log("passes on");
