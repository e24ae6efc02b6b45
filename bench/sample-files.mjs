import { closeSync, openSync, writeSync } from 'node:fs';

const START_MS = Date.parse('2026-05-12T23:00:00.000Z');

/** Writes a trace of calls and their responses, about 300 bytes per message. */
export function writeTrace(path, messages) {
  writeLines(path, function* () {
    yield `{"v":1,"type":"meta","startedAt":"${time(0)}","label":"bench","command":["node","server.js"],"id":"${id(0)}","transport":"stdio","metadata":{}}`;
    for (let n = 0; n < messages; n++) {
      const corr = n % 2 === 0 ? '' : `,"corr":"${id(n - 1)}"`;
      const dir = n % 2 === 0 ? 'in' : 'out';
      yield `{"t":"${time(n)}","dir":"${dir}","seq":${n},"id":"${id(n)}"${corr},"raw":${message(n, '')}}`;
    }
    yield `{"t":"${time(messages)}","type":"end","exitCode":0,"durationMs":${messages}}`;
  });
}

/** Writes the same messages without trace entries, padded with text to the same length. */
export function writeMessages(path, messages) {
  const more = ' and so on'.repeat(11);
  writeLines(path, function* () {
    for (let n = 0; n < messages; n++) yield message(n, more);
  });
}

function writeLines(path, lines) {
  const file = openSync(path, 'w');
  let text = '';
  for (const line of lines()) {
    text += `${line}\n`;
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, text);
  closeSync(file);
}

function message(n, more) {
  const call = Math.floor(n / 2);
  if (n % 2 === 0) {
    const args = `{"query":"needle number ${call}${more}","limit":10,"exact":true,"path":"/home/me/projects/${n % 97}","ratio":0.5}`;
    return `{"jsonrpc":"2.0","id":${call},"method":"tools/call","params":{"name":"search","arguments":${args}}}`;
  }
  const content = `[{"type":"text","text":"Found 3 matches for \\"needle number ${call}\\": alpha, beta, gamma${more}."}]`;
  return `{"jsonrpc":"2.0","id":${call},"result":{"content":${content},"isError":false}}`;
}

function time(n) {
  return new Date(START_MS + n).toISOString();
}

function id(n) {
  return `550e8400-e29b-41d4-a716-${n.toString(16).padStart(12, '0')}`;
}
