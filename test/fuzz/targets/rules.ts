import { readRules } from '../../../src/analysis/rules/read-rules.ts';
import { parseYaml } from '../../../src/cli/input/rules-yaml.ts';
import { findFault } from '../../../src/json/scan.ts';
import { message, response } from '../../contract/factories.ts';
import { textSeeds } from '../seeds.ts';
import { hold, outcomeOf, type Target } from '../target.ts';

const seeds = (): Uint8Array[] =>
  textSeeds(
    'rules:\n  - name: slow search\n    match: tool:search dir:>\n    delay: 2s\n  - match: tool:delete_file\n    error: { code: -32000, message: Not here }\n',
    'rules:\n  - match: "> method:tools/call"\n    skip: 1\n    times: 3\n    set:\n      $.params.arguments.limit: 10\n      $..a[0]: [1, {b: null}]\n      $.params["x y"]: text\n',
    'rules:\n  - replace:\n      - pattern: (a+)(\\d)\n        with: $2-$1\n        in: $.params..text\n  - replace: { pattern: one, with: two }\n  - hold: true\n',
    'rules:\n  - drop: true\n    match: kind:notification\n  - answer: {content: [{type: text, text: "hi\\u00e9"}]}\n    match: kind:request\n',
    '{"rules":[{"set":{"$.id":1e400,"$.method":"x"}},{"replace":{"pattern":"\\"","with":"\\\\","ignore_case":true}}]}',
    'x: &a [1, 2]\nrules:\n  - &r {set: {$.result: *a}}\n  - *r\n',
  );

/** Fuzzes rule files, and the effects of rules on messages. */
export const ruleTargets: readonly Target[] = [{ name: 'rules', perSecond: 500, seeds, check: checkRules }];

const MESSAGES = [
  message({
    text: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"text":"aa1 one"}}}',
  }),
  message({
    text: '{"jsonrpc":"2.0","method":"notifications/x","params":{"a":["aaa2","\\ud800\\"",{"text":"one"}],"a":1}}',
  }),
  response({ text: '{ "jsonrpc" : "2.0", "id" : 1, "result" : {"content":[{"type":"text","text":"a1\\u00e9one"}]} }' }),
  response({ text: '{}' }),
];

async function checkRules(input: Uint8Array): Promise<void> {
  const text = new TextDecoder().decode(input);
  const read = await outcomeOf(async () => readRules(await parseYaml(text, 'rules.yaml')));
  if ('refusal' in read) {
    hold(/: rules\.yaml:\d+:\d+: /.test(read.refusal), 'a fault has a place', () => read.refusal);
    return;
  }
  for (const entry of [...MESSAGES, ...MESSAGES]) {
    const outcome = read.value.rule({ entry, server: 'demo' });
    if (outcome === undefined) continue;
    hold(findFault(outcome.text) === undefined, 'what rules make of a message is JSON', () => outcome.text);
    hold(outcome.delayMs >= 0 && outcome.delayMs < 2 ** 31, 'a timer can wait as long', () => outcome.delayMs);
    if (outcome.end?.action === 'answer')
      hold(findFault(outcome.end.text) === undefined, 'an answer is JSON', () => outcome.end);
  }
}
