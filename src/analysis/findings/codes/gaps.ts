import { ObjectView } from '../../../json/object-view.ts';
import type { Finder } from '../finder.ts';
import { quoted } from '../wording.ts';

/** Reports the gaps that the recording contains. */
export const gaps: Finder = {
  codes: ['recording-gap'],
  watch: (report) => ({
    event({ event, raw }, place) {
      if (event !== 'mcpreel.gap') return;
      const gap = ObjectView.of(raw);
      const missed = gap?.number('missed');
      const what = missed === undefined ? 'Part of the recording' : missed === 1 ? 'One entry' : `${missed} entries`;
      const verb = missed === undefined || missed === 1 ? 'is' : 'are';
      const why = gap?.string('why');
      report('recording-gap', `${what} ${verb} missing${why === undefined ? '' : `: ${quoted(why)}`}.`, place);
    },
  }),
};
