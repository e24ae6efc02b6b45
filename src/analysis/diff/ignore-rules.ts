import type { JsonPaths } from '../../json/json-path.ts';
import { ReelError } from '../../model/errors.ts';
import { messagePaths } from '../../protocol/message-paths.ts';

/** A path to ignore in all messages, or in the calls of one tool. */
interface IgnoreRule {
  readonly tool: string | undefined;
  readonly path: string;
}

const RULE = /^(?:tool:(?:"([^"]+)"|([^\s"]\S*))\s+)?(.*)$/s;

/** The paths that the user excludes from the comparison. */
export class IgnoreRules {
  readonly #rules: readonly IgnoreRule[];
  readonly #perTool = new Map<string | undefined, JsonPaths | undefined>();

  /** Parses rules such as `$.result.total` and `tool:search $.result.total`. An invalid rule is a usage error. */
  constructor(rules: readonly string[]) {
    this.#rules = rules.map(readRule);
    messagePaths(
      this.#rules.map(({ path }) => path),
      'the ignored path',
    );
  }

  /** The ignored paths for a call, by the tool that it calls. */
  pathsFor(tool: string | undefined): JsonPaths | undefined {
    if (this.#rules.length === 0) return undefined;
    const known = this.#rules.some((rule) => rule.tool !== undefined && rule.tool === tool) ? tool : undefined;
    let paths = this.#perTool.get(known);
    if (paths === undefined) {
      const rules = this.#rules.filter((rule) => rule.tool === undefined || rule.tool === known);
      paths = messagePaths(rules.map(({ path }) => path));
      this.#perTool.set(known, paths);
    }
    return paths;
  }
}

/** Parses a rule file with one rule per line; empty lines and lines that begin with `#` are ignored. */
export function rulesInFile(text: string, name: string): string[] {
  return text.split('\n').flatMap((given, index) => {
    const line = given.trim();
    if (line === '' || line.startsWith('#')) return [];
    try {
      new IgnoreRules([line]);
    } catch (cause) {
      if (!(cause instanceof ReelError)) throw cause;
      const hint = cause.hint === undefined ? {} : { hint: cause.hint };
      throw new ReelError('usage', `${name}: line ${index + 1}: ${cause.message}`, { ...hint, cause });
    }
    return [line];
  });
}

function readRule(text: string): IgnoreRule {
  const [, quoted, plain, path = ''] = RULE.exec(text.trim()) ?? [];
  return { tool: quoted ?? plain, path };
}
