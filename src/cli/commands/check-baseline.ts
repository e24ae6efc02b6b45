import type { Baseline } from '../../analysis/baseline.ts';
import type { ToolDefinitions } from '../../analysis/tool-listing.ts';
import type { Context } from '../context.ts';
import { oneLine } from '../output.ts';
import { defaultBaselinePath, loadBaseline, requireBaseline } from './baseline-file.ts';
import type { Group } from './check-groups.ts';

/** The tools that were accepted of a server, if any were. */
export type AcceptedFor = (server: string) => ToolDefinitions | undefined;

/**
 * What the tools of sessions are compared with. A file that is named has to be there, and a server that it does not know
 * is told of once; what is in the state folder is taken for those servers that it knows.
 */
export async function checkBaseline(
  groups: ReadonlySet<Group>,
  given: string | false | undefined,
  { output, stateFolder }: Context,
): Promise<AcceptedFor> {
  if (given === false || !groups.has('drift')) return () => undefined;
  if (given === undefined) return accepted((await loadBaseline(defaultBaselinePath(stateFolder))) ?? new Map());
  const baseline = await requireBaseline(given);
  const told = new Set<string>();
  return accepted(baseline, (server) => {
    if (!told.has(server))
      output.note(oneLine(`${given} has no tools of ${server}: accept them to have them compared.`));
    told.add(server);
  });
}

function accepted(baseline: Baseline, onUnknown: (server: string) => void = () => undefined): AcceptedFor {
  return (server) => {
    const tools = baseline.get(server)?.tools;
    if (tools === undefined) onUnknown(server);
    return tools;
  };
}
