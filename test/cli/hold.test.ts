import { describe, expect, it } from 'vitest';
import { type LiveSample, runSample } from '../support/live-sample.ts';
import type { McpreelProcess } from '../support/mcpreel-process.ts';
import { Place } from '../support/place.ts';
import { jsonLines } from '../support/recordings.ts';

const CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"count":1}}}';
const OTHER_ID = 'ffff1234-0000-4000-8000-000000000000';

interface Holding extends LiveSample {
  readonly place: Place;
  readonly command: McpreelProcess;
}

/** Starts `mcpreel hold` on a live session. */
async function holding(args: readonly string[] = [], prepare: (sample: LiveSample) => unknown = () => undefined) {
  const place = new Place();
  const sample = await runSample(place);
  await prepare(sample);
  const command = place.start(['hold', ...args]);
  await command.sent('{"state":');
  const made: Holding = { place, command, ...sample };
  return made;
}

/** Types a line and waits for its reply. */
async function say({ command }: Holding, number: number, line: string): Promise<void> {
  command.write(`${line}\n`);
  await command.sent(`{"line":${number},`);
}

describe('mcpreel hold', () => {
  it('prints held messages and executes the commands from stdin', async () => {
    const one = await holding(['--filter', 'tool:search']);
    expect(one.session.state).toMatchObject({ mode: 'intercept', filter: 'tool:search' });
    one.session.hold(CALL, { exchange: 3, rule: 'slow' });
    await one.command.sent('{"held":');
    await say(one, 1, '{"id":"msg-1","action":"forward"}');
    one.command.end();
    const { code, stdout, stderr } = await one.command.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      '{"state":{"session":"abcd1234-0000-4000-8000-000000000000","label":"fs","mode":"intercept","filter":"tool:search","holdTimeoutMs":30000,"failClosed":false}}',
      `{"held":{"id":"msg-1","direction":"client_to_server","kind":"request","method":"tools/call","jsonrpcId":2,"conversation":0,"exchange":3,"rule":"slow","at":"2026-03-04T10:00:01.000Z","until":"2026-03-04T10:00:31.000Z","message":${CALL}}}`,
      '{"released":{"id":"msg-1","as":"forward","by":"screen","heldMs":1500}}',
      '{"done":{"line":1,"action":"forward","id":"msg-1","hints":[]}}',
    ]);
    expect(one.released).toMatchObject([{ decision: { action: 'forward' }, by: 'screen' }]);
  });

  it.each([
    ['message', '{ "jsonrpc":"2.0", "id":12345678901234567890, "x":1.0, "x":"\\u0041" }'],
    ['message', '[1.50]'],
  ])('forwards an edited %s exactly as written: %s', async (member, text) => {
    const one = await holding();
    one.session.hold(CALL);
    await one.command.sent('{"held":');
    await say(one, 1, `{"id":"msg-1", "action":"edit", "${member}": ${text} }`);
    expect(one.released).toMatchObject([{ decision: { action: 'edit', text } }]);
  });

  it('prints messages as received, each on one line', async () => {
    const one = await holding();
    one.session.hold('{\n "id": 12345678901234567890,\r\n "method": "\\u0061", "n": 1.0 }', {
      changedText: '{"id":1,"n":2.0}',
    });
    one.session.hold('{"cut');
    await one.command.sent('"msg-2"');
    one.command.end();
    const { stdout } = await one.command.ended;
    expect(stdout).toContain('"method":"a","jsonrpcId":12345678901234567890,"conversation":0');
    expect(stdout).toContain('"message":{  "id": 12345678901234567890,  "method": "\\u0061", "n": 1.0 }');
    expect(stdout).toContain('"changedMessage":{"id":1,"n":2.0}}}\n');
    expect(stdout).toContain('"text":"{\\"cut"}}\n');
  });

  it.each([
    ['{"action":"drop"}', { action: 'drop' }],
    ['{"action":"edit","text":"no JSON","confirm":true}', { action: 'edit', text: 'no JSON', confirmed: true }],
    ['{"action":"answer","result":{"n":1.0}}', { action: 'answer', text: '{"result":{"n":1.0}}' }],
    ['{"action":"answer","error":{"code":-1}}', { action: 'answer', text: '{"error":{"code":-1}}' }],
  ])('does not need an id if only one message is held: %s', async (line, decision) => {
    const one = await holding();
    one.session.hold(CALL);
    await one.command.sent('{"held":');
    await say(one, 1, line);
    expect(one.released).toMatchObject([{ decision }]);
  });

  it('injects a message', async () => {
    const one = await holding();
    one.session.hints = ['It has an id, and nobody waits for an answer.'];
    const line = '{"action":"inject","direction":"server_to_client","conversation":2,"message":{"id":1.0}}';
    await say(one, 1, line);
    expect(one.session.injected).toMatchObject([
      { direction: 'server_to_client', text: '{"id":1.0}', conversation: 2 },
    ]);
    await one.command.sent('"hints":["It has an id, and nobody waits for an answer."]');
  });

  it('saves the session file, with a path relative to its own working directory', async () => {
    const one = await holding();
    await say(one, 1, '{"action":"save","path":"now.json"}');
    await say(one, 2, '{"action":"save"}');
    one.command.end();
    const { stdout } = await one.command.ended;
    expect(stdout).toContain(`{"done":{"line":1,"action":"save","path":"${one.place.path('now.json')}","hints":[]}}`);
    expect(stdout).toContain('{"done":{"line":2,"action":"save","path":"/home/me/fs.json","hints":[]}}');
  });

  it.each(['{"mode":"passthrough"}', '{"action":"mode","mode":"passthrough"}'])(
    'changes the mode: %s',
    async (line) => {
      const one = await holding();
      one.session.hold(CALL);
      await one.command.sent('{"held":');
      await say(one, 1, line);
      expect(one.released).toMatchObject([{ by: 'mode' }]);
      await say(one, 2, '{"mode":"intercept","filter":"tool:x"}');
      expect(one.session.state).toMatchObject({ mode: 'intercept', filter: 'tool:x' });
      one.command.end();
      const { stdout } = await one.command.ended;
      expect(jsonLines(stdout).flatMap(({ state = [] }) => state)).toMatchObject([
        { mode: 'intercept' },
        { mode: 'passthrough' },
        { mode: 'intercept', filter: 'tool:x' },
        { mode: 'passthrough' },
      ]);
    },
  );

  it.each([
    ['nonsense', 'Not a JSON object (column 2)'],
    ['[]', 'Not a JSON object'],
    ['{}', '`action` must be one of'],
    ['{"action":"burn"}', ', got "burn"'],
    ['{"action":"constructor","id":"msg-1"}', '`action` must be one of'],
    ['{"action":["drop"]}', '`action` must be one of'],
    ['{"action":"drop","id":7}', '`id` must be a string'],
    ['{"action":"drop","message":{}}', 'Unknown key `message` for action drop'],
    ['{"action":"drop","id":"nobody"}', 'No held message has the id nobody'],
    ['{"action":"drop"}', '2 messages are held'],
    ['{"action":"edit","id":"msg-1"}', 'either `message` or `text`'],
    ['{"action":"edit","id":"msg-1","message":{},"text":"{}"}', 'either `message` or `text`'],
    ['{"action":"answer","id":"msg-1"}', 'either `result` or `error`'],
    ['{"action":"inject","message":{}}', '`direction` is missing'],
    ['{"action":"edit","id":"msg-1","message":{},"confirm":1}', '`confirm` must be true or false'],
    [
      '{"action":"inject","direction":"client_to_server","message":{},"conversation":"2"}',
      '`conversation` must be a whole number',
    ],
    ['{"mode":"off"}', '`mode` must be passthrough or intercept, got "off"'],
    ['{"mode":"intercept","filter":"("}', 'Expected a term after ( (column 2)'],
  ])('refuses an invalid line and continues: %s', async (line, why) => {
    const one = await holding();
    one.session.hold(CALL);
    one.session.hold(CALL);
    await one.command.sent('"msg-2"');
    await say(one, 1, line);
    await say(one, 2, '{"action":"drop","id":"msg-1"}');
    await say(one, 3, '{"action":"drop"}');
    one.command.end();
    const { code, stdout } = await one.command.ended;
    expect(code).toBe(0);
    const refused = jsonLines(stdout).flatMap((reported) => reported.refused ?? []);
    expect(refused).toEqual([expect.objectContaining({ line: 1, message: expect.stringContaining(why) })]);
    expect(one.released).toMatchObject([{ decision: { action: 'drop' } }, { decision: { action: 'drop' } }]);
  });

  it('exits at the first refused line with --strict, and releases the session', async () => {
    const one = await holding(['--strict']);
    one.session.hold(CALL);
    await one.command.sent('{"held":');
    one.command.write('\n{"action":"burn"}\n');
    const { code, stdout, stderr } = await one.command.ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^Error: Line 2 is invalid: [^\n]+\n$/),
    });
    expect(stdout).toContain('{"refused":{"line":2,');
    expect(one.session).toMatchObject({ held: [], state: { mode: 'passthrough' } });
  });
});

describe('a session after mcpreel hold exits', () => {
  it('the session returns to its earlier mode and forwards the held messages', async () => {
    const one = await holding();
    for (let n = 0; n < 3; n++) one.session.hold(CALL);
    await one.command.sent('"msg-3"');
    one.command.end('{"action":"drop","id":"msg-2"}');
    const { code, stdout } = await one.command.ended;
    expect(code).toBe(0);
    expect(one.session.state).toMatchObject({ mode: 'passthrough', filter: undefined });
    expect(one.released.map(({ id, by }) => `${id} ${by}`)).toEqual(['msg-2 screen', 'msg-1 mode', 'msg-3 mode']);
    expect(jsonLines(stdout).filter(({ released }) => released)).toHaveLength(3);
  });

  it('the session restores its earlier hold filter', async () => {
    const one = await holding(['--filter', 'dir:>'], ({ session }) => session.setMode('intercept', 'tool:a'));
    expect(one.session.state.filter).toBe('dir:>');
    one.session.hold(CALL);
    one.command.end();
    await one.command.ended;
    await one.session.hasInCharge(0);
    expect(one.session.state).toMatchObject({ mode: 'intercept', filter: 'tool:a' });
    expect(one.released).toMatchObject([{ by: 'screen gone' }]);
  });

  it('the session keeps a mode that was set elsewhere in the meantime', async () => {
    const one = await holding();
    await one.session.setMode('intercept', 'tool:mine');
    await one.command.sent('tool:mine');
    one.command.end();
    await one.command.ended;
    expect(one.session.state.filter).toBe('tool:mine');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('forwards held messages after %s, and exits with the code of the signal', async (signal, status) => {
    const one = await holding();
    one.session.hold(CALL);
    await one.command.sent('{"held":');
    one.command.signal(signal);
    expect(await one.command.ended).toMatchObject({ code: status, stderr: '' });
    expect(one.session.state.mode).toBe('passthrough');
    expect(one.released).toMatchObject([{ decision: { action: 'forward' } }]);
  });

  it('forwards held messages after SIGKILL', async () => {
    const one = await holding();
    one.session.hold(CALL);
    await one.command.sent('{"held":');
    one.command.signal('SIGKILL');
    await one.session.hasInCharge(0);
    expect(one.released).toMatchObject([{ decision: { action: 'forward' }, by: 'screen gone' }]);
  });

  it('forwards held messages when stdout of mcpreel hold is closed', async () => {
    const one = await holding();
    one.command.stopReading();
    for (let n = 0; n < 3; n++) one.session.hold(`{"pad":"${'x'.repeat(100_000)}"}`);
    expect(await one.command.ended).toMatchObject({ code: 0, stderr: '' });
    await one.session.hasInCharge(0);
    expect(one.session).toMatchObject({ held: [], state: { mode: 'passthrough' } });
  });
});

describe('the end of a session', () => {
  it('the end of a session ends mcpreel hold', async () => {
    const one = await holding();
    await one.end();
    const { code, stdout } = await one.command.ended;
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, `{"ended":{"session":"${one.session.facts.id}"}}`]);
  });
});

describe('the session argument of mcpreel hold', () => {
  it('finds a session by a prefix of its id', async () => {
    const place = new Place();
    const { session } = await runSample(place);
    await runSample(place, { id: OTHER_ID, label: 'other' });
    const { code, stdout } = await place.run(['hold', 'ABCD']);
    expect([code, jsonLines(stdout)[0]]).toMatchObject([0, { state: { session: session.facts.id } }]);
  });

  it('requires an id if several sessions are running', async () => {
    const place = new Place();
    await runSample(place);
    await runSample(place, { id: OTHER_ID, label: 'other' });
    const { code, stderr } = await place.run(['hold']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Error: 2 sessions are running\. Name one of /);
    expect(stderr).toContain('abcd1234 (fs)');
    expect(stderr).toContain('ffff1234 (other)');
  });

  it('refuses a session that is not running', async () => {
    const place = new Place();
    expect(await place.run(['hold'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Error: No session is running\./),
    });
    await runSample(place);
    const { code, stderr } = await place.run(['hold', '9999']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Error: No session is running with an id that starts with 9999. Running: abcd1234 (fs).\n',
    });
  });

  it('refuses a session whose control socket does not exist or does not respond', async () => {
    const place = new Place();
    const facts = { id: OTHER_ID, pid: process.pid, startedAt: new Date().toISOString(), label: 'x', trace: '/x' };
    place.write(`home/live/${OTHER_ID}.json`, JSON.stringify({ ...facts, socket: place.path('none'), token: 'x' }));
    expect(await place.run(['hold'])).toMatchObject({ code: 1, stderr: expect.stringContaining('does not respond.') });
    place.write(`home/live/${OTHER_ID}.json`, JSON.stringify(facts));
    expect(await place.run(['hold'])).toMatchObject({ code: 1, stderr: expect.stringContaining('no control socket') });
  });
});

it('an invalid filter is a usage error that names the column', async () => {
  const place = new Place();
  const { session } = await runSample(place);
  const { code, stderr } = await place.run(['hold', '--filter', 'tool:a (']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^Error: .*\(column \d+\).*\n$/) });
  expect(session.state.mode).toBe('passthrough');
});

describe('arguments that violate the schema of a tool', () => {
  const tools =
    '{"name":"search","inputSchema":{"type":"object","properties":{"count":{"type":"number"}},"required":["count"]}}';
  const lines = [
    '{"v":1,"type":"meta","startedAt":"2026-03-04T10:00:00.000Z","label":"fs","command":[],"id":"abcd1234","transport":"stdio","metadata":{}}',
    '{"t":"2026-03-04T10:00:00.100Z","dir":"in","seq":0,"id":"a","raw":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}',
    `{"t":"2026-03-04T10:00:00.200Z","dir":"out","seq":1,"id":"b","raw":{"jsonrpc":"2.0","id":1,"result":{"tools":[${tools}]}}}`,
  ];

  it.each([
    ['{"count":"two"}', ['arguments.count must be a number, got a string']],
    ['{}', ['arguments.count is required']],
    ['{"count":2}', []],
  ])('forwards edited arguments, with hints about schema violations: %s', async (args, hints) => {
    const one = await holding([], () => undefined);
    one.place.write('trace.jsonl', `${lines.join('\n')}\n`);
    one.session.hold(CALL);
    await one.command.sent('{"held":');
    await say(one, 1, `{"action":"edit","message":${CALL.replace('{"count":1}', args)}}`);
    one.command.end();
    const { stdout } = await one.command.ended;
    expect(one.released).toMatchObject([{ decision: { action: 'edit' } }]);
    expect(jsonLines(stdout).find(({ done }) => done)).toEqual({
      done: { line: 1, action: 'edit', id: 'msg-1', hints },
    });
  });
});
