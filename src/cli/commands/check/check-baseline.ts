import type { Baseline } from '../../../analysis/contract/baseline.ts';
import type { ToolDefinitions } from '../../../analysis/contract/tool-listing.ts';
import type { OutputPart } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { oneLine } from '../../output.ts';
import { defaultBaselinePath, loadBaseline, requireBaseline } from '../baseline/baseline-file.ts';
import type { FindingGroup } from './check-groups.ts';

/** The tools that were accepted of a server, if any were. */
export type AcceptedFor = (server: string) => Generator<OutputPart, ToolDefinitions | undefined>;

/**
 * What the tools of sessions are compared with. A file that is named has to be there, and a server that it does not know
 * is told of once; what is in the state folder is taken for those servers that it knows.
 */
export async function checkBaseline(
  groups: ReadonlySet<FindingGroup>,
  given: string | false | undefined,
  { stateFolder }: CommandEnvironment,
): Promise<AcceptedFor> {
  if (given === false || !groups.has('drift')) return accepted(new Map());
  if (given === undefined) return accepted((await loadBaseline(defaultBaselinePath(stateFolder))) ?? new Map());
  const baseline = await requireBaseline(given);
  return accepted(baseline, given);
}

/** With the name of a file, a note says which server that file does not know. */
function accepted(baseline: Baseline, file?: string): AcceptedFor {
  const reported = new Set<string>();
  return function* (server) {
    const tools = baseline.get(server)?.tools;
    if (tools === undefined && file !== undefined && !reported.has(server)) {
      reported.add(server);
      yield { note: oneLine(`${file} has no tools of ${server}: accept them to have them compared.`) };
    }
    return tools;
  };
}
