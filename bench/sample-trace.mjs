import { closeSync, openSync, writeSync } from 'node:fs';

const START_MS = Date.parse('2026-05-12T23:00:00.000Z');

/** Writes a trace of calls and their answers, about 300 bytes a message. */
export function writeTrace(path, messages) {
  const file = openSync(path, 'w');
  let text = `{"v":1,"type":"meta","startedAt":"${time(0)}","label":"bench","command":["node","server.js"],"id":"${id(0)}","transport":"stdio","metadata":{}}\n`;
  for (let n = 0; n < messages; n++) {
    text += n % 2 === 0 ? request(n) : answer(n);
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, `${text}{"t":"${time(messages)}","type":"end","exitCode":0,"durationMs":${messages}}\n`);
  closeSync(file);
}

function request(n) {
  const params = `{"name":"search","arguments":{"query":"needle number ${n / 2}","limit":10,"exact":true,"path":"/home/me/projects/${n % 97}","ratio":0.5}}`;
  return `{"t":"${time(n)}","dir":"in","seq":${n},"id":"${id(n)}","raw":{"jsonrpc":"2.0","id":${n / 2},"method":"tools/call","params":${params}}}\n`;
}

function answer(n) {
  const call = (n - 1) / 2;
  const content = `[{"type":"text","text":"Found 3 matches for \\"needle number ${call}\\": alpha, beta, gamma."}]`;
  return `{"t":"${time(n)}","dir":"out","seq":${n},"id":"${id(n)}","corr":"${id(n - 1)}","raw":{"jsonrpc":"2.0","id":${call},"result":{"content":${content},"isError":false}}}\n`;
}

function time(n) {
  return new Date(START_MS + n).toISOString();
}

function id(n) {
  return `550e8400-e29b-41d4-a716-${n.toString(16).padStart(12, '0')}`;
}
