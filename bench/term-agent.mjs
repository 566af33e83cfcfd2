// A terminal agent that costs as little as possible: `true` for a given number of steps, then it is done.
const steps = Number(process.argv[2]);
const COMMAND = '{"command":"true","task_complete":false}\n';
let rest = "";
let answered = 0;
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  rest += chunk;
  for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n")) {
    JSON.parse(rest.slice(0, end));
    rest = rest.slice(end + 1);
    if (answered++ < steps) process.stdout.write(COMMAND);
    else {
      process.stdout.write('{"command":null,"task_complete":true}\n');
      process.stdin.destroy();
    }
  }
});
