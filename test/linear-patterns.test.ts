import { readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { sourcesIn } from '../scripts/source-files.mjs';

/**
 * Regular expressions that take more than linear time on some text, with the reason why they may. Anything else that a
 * peer or a file could send would stop a process that others use.
 */
const REVIEWED: Readonly<Record<string, string>> = {
  'src/analysis/diff/ignore-rules.ts': 'a rule that the user wrote',
  'src/analysis/findings/wording.ts': 'at most 160 characters',
  'src/cli/configure-command.ts': 'a message about the own arguments',
  'src/cli/flags/connection-options.ts': 'a header that the user gave',
  'src/cli/flags/parse-capture-flags.ts': 'a message about the own arguments',
  'src/cli/main.ts': 'an own argument',
  'src/formats/other-tools/claude-code.ts': 'matches at the first pair of underscores',
  'src/install/plan-change.ts': 'a line of a configuration file',
  'src/model/label.ts': 'the first character that fits takes all of the rest',
  'src/present/command-rows.ts': 'a run of spaces is matched whole by an earlier alternative',
  'src/present/command-shells.ts': 'at most 255 characters',
  'src/proxy/http-hold/event-frame.ts': 'each line matches at its first character',
  'src/proxy/http/request-head.ts': 'matches every address that begins so',
  'src/redact/detect/assigned-values.ts': 'at most 4096 characters',
  'src/redact/detect/assignment-patterns.ts': 'the start of a line, at most 512 characters',
  'src/redact/detect/assignments.ts': 'at most 512 characters',
  'src/redact/detect/plausibility.ts': 'at most 128 characters',
  'src/redact/detect/secret-scan.ts': 'a pattern of the program itself',
  'src/redact/placeholder.ts': 'at most 40 characters',
  'web/model/diff/diff-rules.ts': 'a rule that the user wrote',
  'web/shell/filter-completion.ts': 'a filter that the user typed',
};

it('no regular expression takes more than linear time on text of a peer or a file', () => {
  const files = ['src', 'web'].flatMap((folder) => sourcesIn(folder)).filter((file) => !/\.test\./.test(file));
  const found = new Set<string>();
  let count = 0;
  for (const file of files) {
    for (const pattern of patternsIn(file)) {
      count++;
      const { reports } = analyse(pattern, { assumeRejectingSuffix: false });
      if (reports.some(({ exponential }) => exponential)) found.add(`${file}: exponential: ${pattern}`);
      else if (reports.length > 0 && !(file in REVIEWED)) found.add(`${file}: ${pattern}`);
      else if (reports.length > 0) found.add(file);
    }
  }
  expect(count).toBeGreaterThan(500);
  expect([...found].sort()).toEqual(Object.keys(REVIEWED).sort());
});

function patternsIn(file: string): RegExp[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const patterns: RegExp[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      patterns.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return patterns;
}
