import { ObjectView } from '../../../json/object-view.ts';
import { headerIn } from '../exchanges.ts';
import type { Finder } from '../finder.ts';
import { named, quoted } from '../wording.ts';

/** Finds redirects to another origin, of clients or of a bridge. */
export const redirects: Finder = {
  codes: ['redirected-elsewhere'],
  watch: (report) => ({
    event({ event, raw }, place) {
      if (event !== 'http.exchange' || !raw.includes('"redirectsTo"')) return;
      const exchange = ObjectView.of(raw);
      const origin = exchange?.string('redirectsTo');
      if (exchange === undefined || origin === undefined) return;
      const method = exchange.string('method') ?? '';
      // A login page sends the browser back to the client.
      const accepted = headerIn(exchange.value('requestHeaders'), 'accept') ?? '';
      if (method === 'GET' && !accepted.includes('text/event-stream')) return;
      const requested = `${named(method)} ${quoted(exchange.string('path') ?? '')}`;
      const number = exchange.number('exchange');
      report(
        'redirected-elsewhere',
        `${requested} was redirected to ${quoted(origin)}. Use the final URL: credentials are not sent to another origin.`,
        {
          ...place,
          exchange: number,
        },
      );
    },
  }),
};
