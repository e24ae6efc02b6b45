import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, message, NOON_MS, response, session } from '../../test/contract/factories.ts';
import { writeAll } from '../../test/contract/files.ts';
import { anyString } from '../../test/contract/random-sessions.ts';
import { expectLinearGrowth } from '../../test/support/growth.ts';
import { csv } from './csv.ts';

/** Parses a table according to RFC 4180. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const named = (name: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)}}}`;

async function nameCell(name: string): Promise<string | undefined> {
  const [, row] = parse(await writeAll(csv, session([message({ text: named(name) })])));
  return row?.[5];
}

describe('the CSV table of calls', () => {
  it('has a header row and one row per call', async () => {
    const text = await writeAll(
      csv,
      session([
        event(),
        message({ proxyId: 'a', text: named('search, "deep"') }),
        response({
          proxyId: 'b',
          atMs: NOON_MS + 125,
          text: '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad\\nquery"}}',
        }),
        message({ proxyId: 'c', text: '{"jsonrpc":"2.0","id":"x-2","method":"tools/list"}' }),
      ]),
    );
    expect(text).toBe(
      [
        'message,time,conversation,direction,method,name,id,status,duration_ms,human_ms,retries,' +
          'characters_sent,characters_received,error_code,error_message,answer,proxy_id,marks',
        '0,2026-03-04T12:00:00.000Z,0,client_to_server,tools/call,"search, ""deep""",1,error,125,0,0,' +
          '27,38,-32602,"bad\nquery",1,a,',
        '2,2026-03-04T12:00:00.000Z,0,client_to_server,tools/list,,x-2,pending,,0,0,0,0,,,,c,',
        '',
      ].join('\r\n'),
    );
  });

  it('leaves times empty for a recording without them', async () => {
    const text = await writeAll(csv, { ...session([message({ text: named('a') })]), numbersTimes: true });
    expect(parse(text)[1]?.slice(0, 10)).toEqual([
      '0',
      '',
      '0',
      'client_to_server',
      'tools/call',
      'a',
      '1',
      'pending',
      '',
      '',
    ]);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1+2', "'-1+2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ["=cmd|'/c calc'!A0", "'=cmd|'/c calc'!A0"],
    ['\t=1', "'\t'=1"],
    ['\r=1', "'\r'=1"],
    [' =1', "' =1"],
    ['\u200b=1', "'\u200b=1"],
    ['\v=1', "'\v=1"],
    ['\f=1', "'\f=1"],
    ['\u0085=1', "'\u0085=1"],
    ['\u2028=1', "'\u2028=1"],
    ['\u2029 \v=1', "'\u2029 \v=1"],
    ['x\n\v=1', "x\n'\v=1"],
    ['＝1', "'＝1"],
    ['x;=1', "x;'=1"],
    ['x\n=1', "x\n'=1"],
    ['x\t\t=1', "x\t\t'=1"],
    ['x; \t =1', "x; \t' =1"],
    ['a=b', 'a=b'],
    ['a-b', 'a-b'],
    ['-1', '-1'],
  ])('contains no cell that a spreadsheet would evaluate as a formula: %j', async (name, cell) => {
    expect(await nameCell(name)).toBe(cell);
  });

  it('has the same number of cells in every row for any names', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyString, { maxLength: 6 }), async (names) => {
        const rows = parse(await writeAll(csv, session(names.map((name) => message({ text: named(name) })))));
        expect(new Set(rows.map((row) => row.length))).toEqual(new Set([18]));
        expect(rows).toHaveLength(1 + names.length);
        for (const cell of rows.slice(1).flat()) expect(cell).not.toMatch(/^[\s\u0085]*[=+@]/);
      }),
    );
  });

  it('writes a hostile name in linear time', async () => {
    for (const unit of ['\t', ';', ' ', ';=', '\u200b']) {
      const write = (length: number) => () => nameCell(unit.repeat(length));
      await expectLinearGrowth({ small: write(5_000), large: write(40_000), times: 8 });
    }
  });
});
