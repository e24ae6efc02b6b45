// A server that does next to nothing, so that what stands before it is what is measured: each request is answered with
// its own params, one write per message as real servers do.
let rest = '';
process.stdin.setEncoding('latin1').on('data', (chunk) => {
  // A long line is not looked through again with every piece of it.
  if (!chunk.includes('\n')) {
    rest += chunk;
    return;
  }
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) if (line.includes('"id":')) process.stdout.write(`${answerTo(line)}\n`, 'latin1');
});

function answerTo(request) {
  const params = request.indexOf('"params":') + '"params":'.length;
  return `${request.slice(0, request.indexOf('"method"'))}"result":${request.slice(params)}`;
}
