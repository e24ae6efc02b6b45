import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sarifFaults } from '../../test/support/sarif-rules.ts';
import { type SarifResult, sarifLog } from './sarif.ts';

const HUNG: SarifResult = {
  ruleId: 'hung-call',
  level: 'error',
  message: 'It never got a response.',
  file: 'recordings/a b#1.json',
  sequences: [4],
};

function logOf(...results: readonly SarifResult[]): unknown {
  const ids = [...new Set(results.map(({ ruleId }) => ruleId))];
  const rules = ids.map((id) => ({ id, description: id, helpUri: 'https://example.com/' }));
  return JSON.parse(sarifLog({ version: '1.2.3', rules, results, failures: [] }));
}

describe('sarifLog', () => {
  it('produces one run with its rules and results', () => {
    expect(logOf(HUNG)).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'mcpreel',
              version: '1.2.3',
              rules: [{ id: 'hung-call', shortDescription: { text: 'hung-call' }, helpUri: 'https://example.com/' }],
            },
          },
          invocations: [{ executionSuccessful: true, toolExecutionNotifications: [] }],
          columnKind: 'utf16CodeUnits',
          results: [
            {
              ruleId: 'hung-call',
              ruleIndex: 0,
              level: 'error',
              message: { text: 'It never got a response.' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'recordings/a%20b%231.json' },
                    region: { startLine: 1 },
                  },
                  logicalLocations: [{ name: '#004', fullyQualifiedName: 'recordings/a b#1.json#4', kind: 'message' }],
                },
              ],
              properties: { messages: [4] },
            },
          ],
        },
      ],
    });
  });

  it.each([
    ['/tmp/ü.json', 'file:///tmp/%C3%BC.json'],
    ['C:\\a b\\c.json', 'file:///C:/a%20b/c.json'],
    ['a:b.json', 'a%3Ab.json'],
    ['../x\ud800.json', '../x%EF%BF%BD.json'],
  ])('encodes the file name %s as a URI', (file, uri) => {
    expect(JSON.stringify(logOf({ ...HUNG, file }))).toContain(
      JSON.stringify({ artifactLocation: { uri } }).slice(1, -1),
    );
  });

  it('reports inputs that could not be checked as execution errors', () => {
    const log: unknown = JSON.parse(sarifLog({ version: '1', rules: [], results: [], failures: ['a.json: no'] }));
    expect(sarifFaults(log)).toEqual([]);
    expect(log).toMatchObject({
      runs: [
        {
          invocations: [
            {
              executionSuccessful: false,
              toolExecutionNotifications: [{ level: 'error', message: { text: 'a.json: no' } }],
            },
          ],
        },
      ],
    });
  });

  it('produces a schema-valid log for any results', () => {
    const result = fc.record({
      ruleId: fc.string({ unit: 'binary' }),
      level: fc.constantFrom('error', 'warning', 'note'),
      message: fc.string({ unit: 'binary' }),
      file: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      sequences: fc.array(fc.nat()),
    });
    fc.assert(
      fc.property(fc.array(result, { maxLength: 4 }), (results) => {
        expect(sarifFaults(logOf(...(results as SarifResult[])))).toEqual([]);
      }),
    );
  });
});
