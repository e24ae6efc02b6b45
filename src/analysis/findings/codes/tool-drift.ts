import { sameJson } from '../../../json/same-json.ts';
import type { JsonText } from '../../../model/entry.ts';
import { changesBetween, type Drift, driftBetween } from '../../contract/drift.ts';
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
        for (const { name, text } of conversation.toolsAnnounced ? [] : page.tools) {
          const before = conversation.tools.get(name);
          if (before === undefined || sameJson(before, text)) continue;
          report('tool-changed', `The tool ${named(name)} changed unannounced: ${placesIn(before, text)}.`, sequences);
        }
        listings.take(call);
        lastList = sequences;
      },
      end() {
        const seen = listings.complete ?? listings.latest;
        if (baseline === undefined || seen === undefined) return;
        for (const drift of driftBetween(baseline, seen, listings.complete !== undefined)) {
          report('baseline-drift', `The tool ${named(drift.tool)} ${driftText(drift)}.`, lastList);
        }
      },
    };
  },
};

function driftText({ kind, changes }: Drift): string {
  switch (kind) {
    case 'added':
      return 'is new since it was accepted';
    case 'removed':
      return 'was accepted and is gone';
    case 'changed':
      return `is not as it was accepted: ${pathsText(changes.map(({ path }) => path))}`;
  }
}

function placesIn(before: JsonText, after: JsonText): string {
  return pathsText(changesBetween(before, after).map(({ path }) => path));
}

const MAX_PATHS = 3;

function pathsText(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PATHS).map(named).join(', ');
  return paths.length > MAX_PATHS ? `${shown} and ${paths.length - MAX_PATHS} more` : shown;
}
