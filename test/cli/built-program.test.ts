import { describe, expect, it } from 'vitest';
import { Place } from '../support/place.ts';
import { echoServer } from '../support/servers.ts';
import { sessionText } from '../support/session-texts.ts';
import { SESSION_ID, traceText } from '../support/trace-texts.ts';

/** A command line, its exit code, and a pattern for a line on stdout or stderr. */
type Row = readonly [line: string, code: number, output: RegExp];

/** A request that is in no recorded session. */
const REQUEST = '{"jsonrpc":"2.0","id":1,"method":"prompts/list"}\n';

/**
 * Runs every command through the installed program, once where it succeeds and once where it fails. In-process tests
 * cover the details. Commands that run until a signal succeed elsewhere: `view` in test/view, `tui` in test/tui, and
 * `hold` in hold.test.ts.
 */
const ROWS: readonly Row[] = [
  ['record --session-file out.json -- SERVER', 0, /^mcpreel: Recording to .*, and at exit to out\.json$/m],
  ['record', 2, /^Error: No server given\. /m],
  ['replay session.json --dry-run -- x', 0, /^\d+ messages? would be sent$/m],
  ['replay session.json --timeout 5 -- SERVER', 3, /changed/],
  ['replay session.json --learn 2 --repeat 2 -- x', 2, /^Error: --learn and --repeat cannot be used together/m],
  ['inspect session.json', 0, /^Messages: \d+$/m],
  ['inspect nothing.json', 1, /^Error: .*nothing\.json/m],
  ['diff session.json session.json --exit-code', 0, /./],
  ['diff session.json other.json --exit-code', 3, /./],
  ['diff session.json', 2, /^Error: Missing required argument 'b'\./m],
  ['export session.json -f trace -o out.jsonl', 0, /^Exported \d+ messages to out\.jsonl$/m],
  ['export session.json -f nothing', 2, /^Error: Unknown --output-format: nothing\./m],
  ['import session.json', 0, /^Imported \d+ messages from session\.json: /m],
  ['import nothing.json', 1, /^Error: .*nothing\.json/m],
  ['redact session.json -o out.json', 0, /^Nothing to redact$/m],
  ['redact --check secret.json', 3, /^Found 1 secret: /m],
  ['redact --check secret.json -o x', 2, /^Error: --check and -o cannot be used together\./m],
  ['sessions', 0, /^abcd1234 /m],
  ['sessions lst', 2, /^Error: Unknown command 'lst'\. Did you mean list\?$/m],
  ['sessions show abcd', 0, /^Session: abcd1234/m],
  ['sessions show ffff', 1, /^Error: No session id starts with ffff\./m],
  ['sessions recover abcd -o out.json', 0, /^Recovered \d+ messages? to out\.json$/m],
  ['sessions recover ffff', 1, /^Error: No session id starts with ffff\./m],
  ['sessions rm abcd', 0, /^Deleted 1 session, /m],
  ['sessions rm ffff', 1, /^Error: No session id starts with ffff\./m],
  ['sessions prune --older-than 1w --yes', 0, /^No session is old enough$/m],
  ['sessions prune --older-than 0s', 1, /^Error: Nothing deleted: no terminal to ask for confirmation\./m],
  ['view nothing.json', 1, /^Error: .*nothing\.json/m],
  ['view --port x', 2, /^Error: --port x is not a port\./m],
  ['tui', 2, /^Error: mcpreel tui needs a terminal\./m],
  ['hold', 1, /^Error: No session is running\./m],
  ['mock session.json', 0, /^mcpreel: Answered \d+ requests? from session\.json; /m],
  ['mock session.json --fail-on-miss', 3, /^mcpreel: Answered 0 requests from session\.json; /m],
  ['mock nothing.json', 1, /^Error: .*nothing\.json/m],
  ['stats session.json', 0, /./],
  ['stats nothing.json', 1, /^Error: .*nothing\.json/m],
  ['check session.json --fail-on secret', 0, /^No findings in 1 session$/m],
  ['check secret.json --fail-on secret', 3, /^1 finding in 1 session: 1 secret$/m],
  ['check nothing.json', 1, /^Error: .*nothing\.json/m],
  ['baseline accept session.json', 0, /^Accepted \d+ tools? of /m],
  ['baseline show --baseline tools.json', 0, /^tools\.json is empty$/m],
  ['baseline show', 1, /^Error: No baseline in /m],
  ['baseline reset --all --baseline tools.json', 0, /^No baseline to reset in tools\.json$/m],
  ['baseline reset', 2, /^Error: No server given\./m],
  ['install --dry-run', 0, /^Dry run: would wrap 1 server in 1 file\.$/m],
  ['install', 1, /^Error: Nothing was changed: no terminal to ask for confirmation\./m],
  ['install --client curser', 2, /^Error: Unknown --client: curser\./m],
  ['uninstall', 0, /^No servers to unwrap\.$/m],
  ['uninstall --server none', 1, /^Error: No client has a server named "none"\./m],
  ['demo --no-open', 0, /^Recorded a demo session to /m],
  ['doctor', 3, /^\d+ problems?/m],
  ['doctor --bogus', 2, /^Error: Unknown option '--bogus'\./m],
  ['completion bash', 0, /mcpreel/],
  ['completion bsh', 2, /^Error: Unknown shell: bsh\./m],
  ['proxy inspect --session-file session.json', 0, /^Messages: \d+$/m],
  ['proxy strat', 2, /^Error: Unknown command 'strat'\. Did you mean start\?$/m],
  ['trace import-mcp --input session.json --out-trace -', 0, /^Imported \d+ messages from session\.json: /m],
  ['trace import-mcp', 2, /^Error: Required option '--input <file>' not specified\./m],
  ['--version', 0, /^\d+\.\d+\.\d+/],
  ['--help', 0, /^Usage: mcpreel /],
  ['inspct', 2, /^Error: Unknown command 'inspct'\. Did you mean inspect\?$/m],
];

function prepared(): Place {
  const place = new Place();
  place.write('session.json', listing('read'));
  place.write('other.json', listing('write'));
  place.write('secret.json', listing(`ghp_${'a1B2c3D4e5F6'.repeat(3)}`));
  place.write('tools.json', '{"mcpreelBaseline":1,"servers":{}}');
  place.write(`home/sessions/20260101T000000Z-fs-${SESSION_ID.slice(0, 8)}.jsonl`, traceText({ end: {} }));
  place.write('me/.cursor/mcp.json', '{"mcpServers":{"files":{"command":"node","args":["files.js"]}}}');
  return place;
}

/** A session in which the server listed this tool. */
function listing(name: string): string {
  const tools = [{ name, inputSchema: { type: 'object' } }];
  return sessionText([
    { payload: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' },
    { from: '<', payload: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } }) },
  ]);
}

describe('the built program', () => {
  it.each(ROWS)('runs mcpreel %s, and exits with %i', async (line, code, output) => {
    const place = prepared();
    const args = line.split(' ').flatMap((word) => (word === 'SERVER' ? echoServer : [word]));
    const outcome = await place.run(args, { input: REQUEST, env: { HOME: place.path('me') } });
    expect(outcome).toMatchObject({ code, signal: null });
    expect(outcome.stdout + outcome.stderr).toMatch(output);
  });

  it('mcpreel doctor reports no problems for a new state folder, and exits with 0', async () => {
    const place = new Place();
    const { code, stdout } = await place.run(['doctor'], { env: { HOME: place.folder } });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^No problems/m) });
  });

  it('the help lists only commands that are tested here', async () => {
    const { stdout } = await new Place().run(['--help']);
    const [list = ''] = stdout.split('\nExamples:\n');
    const commands = [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    expect(commands.length).toBeGreaterThan(20);
    const tried = new Set(ROWS.map(([line]) => line.split(' ')[0]));
    expect(commands.filter((name) => name !== 'help' && !tried.has(name ?? ''))).toEqual([]);
  });
});
