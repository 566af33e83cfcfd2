// A chat service that knows nothing of Proctor: POST /chat {question, session?} answers {data: {reply, session, tokens}}, and
// POST /stream sends the same reply word by word as server-sent events. Run it: node endpoint.mjs [port]
import { createServer } from "node:http";

const sessions = new Map();

function reply(question, session) {
  const said = [...(sessions.get(session) ?? []), question];
  sessions.set(session, said);
  return { reply: `You asked ${said.length} so far, last: ${question}`, session, tokens: question.length };
}

async function answer(request, response) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const { question, session } = JSON.parse(text);
  if (typeof question !== "string") {
    response.writeHead(422, { "content-type": "application/json" });
    return response.end(JSON.stringify({ error: "no question" }));
  }
  const data = reply(question, session ?? `s-${sessions.size + 1}`);
  if (request.url === "/stream") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const word of data.reply.split(/(?<= )/)) response.write(`data: ${JSON.stringify({ word })}\n\n`);
    return response.end("data: [DONE]\n\n");
  }
  response.writeHead(200, { "content-type": "application/json" });
  return response.end(JSON.stringify({ data }));
}

const server = createServer((request, response) => void answer(request, response));

server.listen(Number(process.argv[2] ?? 8000), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
