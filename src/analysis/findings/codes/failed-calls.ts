import { ObjectView } from '../../../json/object-view.ts';
import type { Call } from '../../calls/call.ts';
import { failureOf } from '../../calls/call-failure.ts';
import type { Finder } from '../finder.ts';
import { callText, quoted } from '../wording.ts';

/** Finds calls that were answered with an error. A `server/discover` probe may fail without a finding. */
export const failedCalls: Finder = {
  codes: ['call-failed', 'tool-failed'],
  watch: (report) => ({
    call(call) {
      const { status, answer, isProbe, request } = call;
      if (status !== 'error' || answer === undefined || isProbe) return;
      const view = ObjectView.of(answer.text);
      const sequences = [request.sequence, answer.sequence];
      if (view?.textOf('error') === undefined) {
        report('tool-failed', `${callText(call)} failed: ${reasonOf(call)}.`, sequences);
      } else {
        report(
          'call-failed',
          `${callText(call)} failed: the response is ${errorText(view.object('error'))}.`,
          sequences,
        );
      }
    },
  }),
};

function errorText(error: ObjectView | undefined): string {
  if (error === undefined) return 'an error without code and message';
  const code = error.textOf('code')?.slice(0, 20) ?? 'no code';
  return `error ${code}: ${quoted(error.string('message') ?? '')}`;
}

/** The first text in the tool's result. */
function reasonOf(call: Call): string {
  const sent = failureOf(call)?.message;
  return sent === undefined ? 'isError is set, but there is no text' : quoted(sent);
}
