// Answers every request, sends a request of its own before every third response, and remembers every line in both
// directions. When its stdin ends it reports all of them to the socket in its argument.
import { connect } from 'node:net';

const heard = [];
const said = [];
let rest = '';

// The reader may have been killed.
process.stdout.on('error', () => {});
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    heard.push(line);
    answer(JSON.parse(line));
  }
});
process.stdin.on('end', () => connect(process.argv[2]).end(JSON.stringify({ heard, said })));

function answer({ id, method, params }) {
  if (method === undefined) return;
  if (id % 3 === 0) say(`{"jsonrpc":"2.0","id":"ours-${id}","method":"ping"}`);
  say(
    `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":${JSON.stringify(params.text)}}],"n":1.0}}`,
  );
}

function say(line) {
  said.push(line);
  process.stdout.write(`${line}\n`);
}
