import type { Baseline } from '../../../analysis/contract/baseline.ts';
import type { ToolDefinitions } from '../../../analysis/contract/tool-listing.ts';
import { oneLine } from '../../../present/visible-text.ts';
import type { OutputPart } from '../../command-run.ts';
import type { CommandEnvironment } from '../../context.ts';
import { defaultBaseline, requireBaseline } from '../baseline/baseline-file.ts';
import type { FindingGroup } from './check-groups.ts';

/** Returns the accepted tools of a server, if there are any. */
export type AcceptedFor = (server: string) => Generator<OutputPart, ToolDefinitions | undefined>;

/**
 * Loads the baseline that tools are compared with. A file named by the user must exist, and each server missing from it
 * is reported once. The default file in the state folder applies only to the servers it contains.
 */
export async function checkBaseline(
  groups: ReadonlySet<FindingGroup>,
  given: string | false | undefined,
  context: CommandEnvironment,
): Promise<AcceptedFor> {
  if (given === false || !groups.has('drift')) return accepted(new Map());
  if (given === undefined) return accepted((await defaultBaseline(context.stateFolder)) ?? new Map());
  const baseline = await requireBaseline(given, context);
  return accepted(baseline, given);
}

/** If `file` is given, a note reports each server that it does not contain. */
function accepted(baseline: Baseline, file?: string): AcceptedFor {
  const reported = new Set<string>();
  return function* (server) {
    const tools = baseline.get(server)?.tools;
    if (tools === undefined && file !== undefined && !reported.has(server)) {
      reported.add(server);
      yield { note: oneLine(`Tools of ${server} not compared: not in ${file}. Add them: mcpreel baseline accept`) };
    }
    return tools;
  };
}
