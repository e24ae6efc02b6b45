// A minimal Node reader for JSON lines: it reads chunks, splits them into lines and parses each line.
import { createReadStream } from 'node:fs';

let [lines, rest] = [0, ''];
for await (const piece of createReadStream(process.argv[2], { encoding: 'utf8', highWaterMark: 1 << 20 })) {
  const found = (rest + piece).split('\n');
  rest = found.pop();
  for (const line of found) JSON.parse(line);
  lines += found.length;
}
console.log(lines);
