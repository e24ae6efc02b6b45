import { JsonPaths, type PathSteps, readPath } from '../json/json-path.ts';
import { ReelError } from '../model/errors.ts';

/** Parses the JSONPath expressions that a user passed for messages. An invalid one is a usage error with the noun. */
export function messagePaths(paths: readonly string[], noun: string = 'the path'): JsonPaths {
  return new JsonPaths(paths.map((path) => stepsOf(path, noun)));
}

function stepsOf(path: string, noun: string): PathSteps {
  const steps = readPath(path);
  if ('fault' in steps) throw unusable(path, noun, steps.fault);
  return steps;
}

function unusable(path: string, noun: string, fault: number): ReelError {
  const reason = path.startsWith('$') ? `invalid from character ${fault + 1} on` : 'it does not start with "$"';
  const why = path === '$' ? 'it selects the whole message' : reason;
  return new ReelError('usage', `Cannot use ${noun} "${path}": ${why}`, {
    hint: "Use a path like $.params.arguments.name, $..['name'], $.result.content[0] or $.result.content[*].text.",
  });
}
