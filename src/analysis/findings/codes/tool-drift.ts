import { type Drift, type DriftChange, driftBetween, toolChanges } from '../../contract/drift.ts';
import { ToolListings, toolPageOf } from '../../contract/tool-listing.ts';
import type { Finder } from '../finder.ts';
import { named } from '../wording.ts';

/** Finds tools that changed since an earlier listing of the session, or since the user accepted them. */
export const toolDrift: Finder = {
  codes: ['tool-changed', 'baseline-drift'],
  watch(report, { baseline }) {
    const listings = new ToolListings();
    let lastList: number[] = [];
    return {
      call(call, conversation) {
        const page = toolPageOf(call);
        if (page === undefined || call.answer === undefined) return;
        const sequences = [call.request.sequence, call.answer.sequence];
        for (const { name, text } of page.tools) {
          if (conversation.listedSinceChange?.has(name) === false) continue;
          const before = conversation.tools.get(name);
          const changes = before === undefined ? [] : toolChanges(before, text);
          if (changes.length === 0) continue;
          report(
            'tool-changed',
            `The server changed the tool ${named(name)} without notifications/tools/list_changed: ${pathsText(changes)}. Send that notification.`,
            sequences,
          );
        }
        listings.take(call);
        lastList = sequences;
      },
      end() {
        const seen = listings.complete ?? listings.latest;
        if (baseline === undefined || seen === undefined) return;
        for (const drift of driftBetween(baseline, seen, listings.complete !== undefined)) {
          report(
            'baseline-drift',
            `The tool ${named(drift.tool)} ${driftText(drift)}. If that is intended, run mcpreel baseline accept.`,
            lastList,
          );
        }
      },
    };
  },
};

function driftText({ kind, changes }: Drift): string {
  switch (kind) {
    case 'added':
      return 'is not in the baseline';
    case 'removed':
      return 'is in the baseline, but the server no longer has it';
    case 'changed':
      return `differs from the baseline: ${pathsText(changes)}`;
  }
}

const MAX_PATHS = 3;

function pathsText(changes: readonly DriftChange[]): string {
  const shown = changes.slice(0, MAX_PATHS).map(({ path }) => named(path));
  const rest = changes.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}
