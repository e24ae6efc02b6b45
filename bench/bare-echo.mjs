// A minimal server, so that the benchmark measures the program in front of it. It answers each request with the
// request's own params, one write per message as real servers do.
let rest = '';
process.stdin.setEncoding('latin1').on('data', (chunk) => {
  // A long line is not scanned again with each new chunk.
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
