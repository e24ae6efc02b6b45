import { describe, expect, it } from 'vitest';
import { toolCall, toolList } from '../../../../test/support/calls/sample-calls.ts';
import { StatsRollUp } from '../../../analysis/stats/roll-up.ts';
import { rolledUpText, statsText } from './stats-text.ts';

const TOOLS = ['read_the_whole_of_a_file', 'read_the_first_line_of_a_file', 'search', 'replace'];

function rolledUp(server: string): StatsRollUp {
  const rollUp = new StatsRollUp();
  const session = rollUp.begin({ server, hasTimes: true });
  session.takeCall(toolList(TOOLS.map((name) => ({ name }))));
  for (const name of [...TOOLS.slice(0, 2), 'a_tool_that_is_in_no_list']) session.takeCall(toolCall(name));
  return rollUp;
}

describe('stats on a terminal', () => {
  it.each([120, 80, 60, 44])('prints no line longer than %i characters', (width) => {
    const result = rolledUp('127.0.0.1:8080').result();
    const [server] = result.servers;
    const style = { width, hasColour: false };
    const text = rolledUpText(result, style) + (server === undefined ? '' : statsText(server, style));
    expect(text).toContain('Called but not listed');
    for (const line of text.split('\n')) expect([...line].length).toBeLessThanOrEqual(width);
  });

  it('keeps the tools of a server distinguishable even if the server name is long', () => {
    const result = rolledUp('a-server-with-a-name-that-fills-the-line').result();
    const text = rolledUpText(result, { width: 60, hasColour: false });
    expect(text).toMatch(/^…\S*the_whole_of_a_file /m);
    expect(text).toMatch(/^…\S*first_line_of_a_file /m);
  });
});
