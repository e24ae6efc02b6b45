import { JsonPaths, type PathSteps, readPath } from '../json/json-path.ts';
import { ReelError } from '../model/errors.ts';

/** Parses the JSONPath expressions that a user passed for messages. An invalid one is a usage error. */
export function messagePaths(paths: readonly string[]): JsonPaths {
  return new JsonPaths(paths.map(stepsOf));
}

function stepsOf(path: string): PathSteps {
  const steps = readPath(path);
  if ('fault' in steps) throw unusable(path, steps.fault);
  return steps;
}

function unusable(path: string, fault: number): ReelError {
  const reason = path.startsWith('$') ? `invalid from character ${fault + 1} on` : 'it does not start with "$"';
  const why = path === '$' ? 'it selects the whole message' : reason;
  return new ReelError('usage', `Cannot use the path "${path}": ${why}`, {
    hint: "Use a path like $.params.arguments.name, $..['name'], $.result.content[0] or $.result.content[*].text.",
  });
}
