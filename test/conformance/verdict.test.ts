import { describe, expect, it } from 'vitest';
// biome-ignore lint/correctness/useImportExtensions: its declarations are beside it, not in it
import { type Check, differences, faultsOf, type Results } from './verdict.mjs';

const passed: Check = { id: 'a-check', status: 'SUCCESS' };
const failed: Check = { id: 'a-check', status: 'FAILURE', errorMessage: 'Expected 404' };
const other: Check = { id: 'another', status: 'INFO' };

function run(...checks: Check[]): Results {
  return new Map([['ping', checks]]);
}

describe('two runs of the suite', () => {
  it('two runs are equal if only the order of their checks differs', () => {
    expect(differences(run(passed, other), run(other, passed))).toEqual([]);
  });

  it('two runs differ if a check has another outcome', () => {
    expect(differences(run(passed), run(failed))).toEqual([
      'ping a-check FAILURE: 0 times direct, 1 times through the proxy',
      'ping a-check SUCCESS: 1 times direct, 0 times through the proxy',
    ]);
  });

  it('two runs differ if a check runs more often', () => {
    expect(differences(run(passed), run(passed, passed))).toEqual([
      'ping a-check SUCCESS: 1 times direct, 2 times through the proxy',
    ]);
  });

  it('two runs differ if a scenario did not run', () => {
    expect(differences(run(passed), new Map())).toHaveLength(1);
  });
});

describe('the fixture', () => {
  it('a scenario that fails or does not run is a fault of the fixture', () => {
    expect(faultsOf(run(failed), ['ping', 'tools-list'])).toEqual([
      'ping a-check FAILURE: Expected 404',
      'tools-list did not run',
    ]);
  });

  it('an unimplemented scenario is a fault of the fixture only if it passes', () => {
    expect(faultsOf(new Map([['tasks-lifecycle', [failed]]]), ['tasks-lifecycle'])).toEqual([]);
    expect(faultsOf(new Map([['tasks-lifecycle', [passed]]]), ['tasks-lifecycle'])).toEqual([
      'tasks-lifecycle passes, but is listed as not implemented',
    ]);
  });
});
