import { beforeEach, describe, expect, it } from 'vitest';
import { beginSession, calls, event, request, response } from '../../../test/support/sample-entries.ts';
import { loadFilter } from '../../analysis/filter/filter.ts';
import { SessionLog } from './session-log.ts';
import { ShownEntries } from './shown-entries.ts';

const always = (): boolean => true;

describe('ShownEntries', () => {
  let log: SessionLog;
  let shown: ShownEntries;
  beforeEach(() => {
    beginSession();
    log = new SessionLog();
    shown = new ShownEntries(log);
  });

  const rows = (): (number | undefined)[] => Array.from({ length: shown.length }, (_, row) => shown.at(row));

  it('shows messages and stderr by default, and other entries if the filter selects them', async () => {
    log.add([request(1, 'a'), event('stdio.stderr'), event('mcpreel.action'), event('http.exchange'), response(1)]);
    shown.work(always);
    expect(rows()).toEqual([0, 1, 4]);
    shown.setFilter(await loadFilter('kind:http'));
    shown.work(always);
    expect(rows()).toEqual([3]);
  });

  it('updates the rows of a status filter as calls complete', async () => {
    shown.setFilter(await loadFilter('status:pending'));
    log.add([request(1, 'a'), request(2, 'b')]);
    shown.work(always);
    expect(rows()).toEqual([0, 1]);
    shown.lookAgain(log.add([response(1)]));
    shown.work(always);
    expect(rows()).toEqual([1]);
    shown.setFilter(await loadFilter('status:error'));
    shown.work(always);
    expect(rows()).toEqual([]);
    shown.lookAgain(log.add([response(2, '"error":{"code":1,"message":"no"}')]));
    shown.work(always);
    expect(rows()).toEqual([1, 3]);
    expect(log.errorCount).toBe(1);
  });

  it('filters in chunks, so that other work can run in between', async () => {
    log.add(calls(1000));
    shown.setFilter(await loadFilter('tool:search >'));
    expect(shown.work(() => false)).toBe(false);
    expect(shown.isComplete).toBe(false);
    expect(shown.length).toBe(128);
    expect(shown.work(always)).toBe(true);
    expect(shown.length).toBe(1000);
  });

  it('matches a message by the status of its HTTP exchange once that is known', async () => {
    shown.setFilter(await loadFilter('http:401'));
    log.add([{ ...request(1, 'a'), http: '{"exchange":3}' }, request(2, 'b')]);
    shown.work(always);
    expect(rows()).toEqual([]);
    shown.lookAgain(log.add([event('http.exchange', '{"exchange":3,"status":401}')]));
    shown.work(always);
    expect(rows()).toEqual([0, 2]);
  });
});

describe('SessionLog', () => {
  beforeEach(beginSession);

  it('finds the response to a request, and the request of a response', () => {
    const log = new SessionLog();
    const [requested, answered] = [request(1, 'a'), response(1)];
    log.add([event('stdio.stderr'), requested, answered]);
    expect(log.partnerOf(requested)).toBe(2);
    expect(log.partnerOf(answered)).toBe(1);
    expect(log.outcomeOf(requested)).toMatchObject({ status: 'ok', durationMs: 10, name: 'a' });
    expect(log.indexOf(answered.proxyId)).toBe(2);
  });
});
