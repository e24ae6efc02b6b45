import { ObjectView } from '../../../json/object-view.ts';
import { CLIENT_LEFT, CUT_OFF, SESSION_ENDED } from '../../../model/exchange-ends.ts';
import type { EndedExchange } from '../facts.ts';
import type { Evidence, Finder } from '../finder.ts';
import { inline, named, quoted } from '../wording.ts';

/** Finds HTTP requests that failed below the JSON-RPC layer. */
export const httpAnswers: Finder = {
  codes: ['http-error', 'http-unauthorized'],
  watch: (report) => ({
    event({ event, raw }, place) {
      const view = event === 'http.exchange' ? ObjectView.of(raw) : undefined;
      const error = view?.has('side') ? view.string('error') : undefined;
      if (error === undefined || isOurEnd(error)) return;
      const requested = `${named(view?.string('method') ?? '')} ${quoted(view?.string('path') ?? '')}`;
      report('http-error', `${requested} to the target failed: ${inline(error)}.`, place);
    },
    exchange(exchange) {
      const { method, path, status, error, isOwnAnswer } = exchange;
      const requested = `${named(method)} ${quoted(path)}`;
      if (error !== undefined && !isOurEnd(error)) {
        report('http-error', `${requested} failed: ${inline(error)}.`, evidenceOf(exchange));
      } else if (isOwnAnswer || status === undefined) {
        // A rule or a person answered, or no one did.
      } else if (status === 401) {
        report(
          'http-unauthorized',
          `${requested} got HTTP 401: the client is not authorized. Log in with the client, or pass credentials with --header.`,
          evidenceOf(exchange),
        );
      } else if (status >= 400 && !exchange.isAnswered && !isUsual(exchange)) {
        report(
          'http-error',
          `${requested} got HTTP ${status} without a JSON-RPC message. Check the server’s log.`,
          evidenceOf(exchange),
        );
      }
    },
  }),
};

function evidenceOf({ posted, place }: EndedExchange): Evidence {
  return posted.length > 0 ? posted.map(({ sequence }) => sequence) : place;
}

/** It is not the server's failure if the client or mcpreel closed the connection. */
function isOurEnd(error: string): boolean {
  return error === CLIENT_LEFT || error === SESSION_ENDED || error === CUT_OFF;
}

/** Requests that servers need not support: a GET stream, ending a session, metadata, another revision. */
function isUsual({ method, path, status, posted }: EndedExchange): boolean {
  if (path.includes('/.well-known/')) return status === 404;
  if (method === 'GET') return status === 405;
  if (method === 'DELETE') return status === 405 || status === 404;
  return posted.length > 0 && posted.every((message) => message.method === 'server/discover');
}
