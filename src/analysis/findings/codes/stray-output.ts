import { ObjectView } from '../../../json/object-view.ts';
import type { Finder } from '../finder.ts';
import { quoted } from '../wording.ts';

/** Finds lines on stdin and stdout that are not messages. */
export const strayOutput: Finder = {
  codes: ['stray-output'],
  watch: (report) => ({
    event({ event, raw }, place) {
      if (event !== 'stdio.noise') return;
      const line = ObjectView.of(raw);
      const [wrote, advice] =
        line?.string('dir') === 'in'
          ? ['The client wrote a line to stdin', 'Send only JSON-RPC.']
          : ['The server printed a line to stdout', 'Log to stderr instead.'];
      report('stray-output', `${wrote} that is not JSON-RPC: ${lineText(line)}. ${advice}`, place);
    },
  }),
};

function lineText(line: ObjectView | undefined): string {
  const text = line?.string('text');
  if (text !== undefined) return quoted(text);
  return line?.has('base64') ? 'not UTF-8' : 'too long to be recorded';
}
