// Torture scenario: a server writes 100 MB to stderr while it talks.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { EchoTalk } from './support/echo-talk.mjs';
import { Judgement } from './support/judgement.mjs';
import { readRecorded } from './support/recorded.mjs';
import { memoryOf, server } from './support/reel.mjs';

const MAX_MEMORY = 200e6;
/** The server's line with this number. */
const lineOf = (number) => `${number} ${'flooding '.repeat(10)}`;

export const stderrFlood = {
  name: 'stderr-flood',
  injects: 'a flood on stderr',
  sizes: { full: { megabytes: 100 }, quick: { megabytes: 100 }, least: { megabytes: 5 } },

  async run({ sizes: { megabytes }, folder }) {
    const judgement = new Judgement();
    const talk = new EchoTalk(folder, ['--trace-file', 'trace.jsonl'], {
      command: [process.execPath, server('flooding.mjs'), String(megabytes * 1e6)],
      keepsStderr: false,
    });
    const heard = createHash('sha256');
    let bytes = 0;
    talk.reel.child.stderr.on('data', (chunk) => {
      bytes += chunk.length;
      heard.update(chunk);
    });
    let most = 0;
    // The client talks for as long as the flood lasts.
    while (bytes < megabytes * 1e6) {
      await talk.say(5);
      most = Math.max(most, memoryOf(talk.reel.pid) ?? 0);
    }
    const { code } = await talk.end();
    judgement.claim('every message passed meanwhile', talk.isFaithful && code === 0, `exit ${code}`);
    judgement.claim(`memory stays below ${MAX_MEMORY / 1e6} MB`, most < MAX_MEMORY, `${most / 1e6} MB`);
    const { messages, events } = await readRecorded(join(folder, 'trace.jsonl'));
    const lines = events.filter(({ kind }) => kind === 'stdio.stderr');
    const said = createHash('sha256');
    const wrong = lines.findIndex(({ raw }, number) => {
      said.update(`${lineOf(number)}\n`);
      return raw.text !== lineOf(number);
    });
    judgement.claim('every line of it is recorded in its place', wrong < 0, `line ${wrong}`);
    judgement.claim('every byte of it arrives', said.digest('hex') === heard.digest('hex'), `${bytes} bytes`);
    judgement.lose(talk.passed - messages.length);
    const mostMegabytes = Math.round(most / 1e6);
    return judgement.outcome(`${megabytes} MB on stderr (${lines.length} lines) during ${talk.passed} messages`, {
      figures: { mostMegabytes },
    });
  },
};
