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
      const wrote = line?.string('dir') === 'in' ? 'The client wrote to stdin' : 'The server wrote to stdout';
      report('stray-output', `${wrote} what is no message: ${lineText(line)}.`, place);
    },
  }),
};

function lineText(line: ObjectView | undefined): string {
  const text = line?.string('text');
  if (text !== undefined) return quoted(text);
  return line?.has('base64') ? 'a line that is not UTF-8' : 'a line that was not kept';
}
