import { setTimeout as delay } from 'node:timers/promises';
import { text } from './samples.mjs';

const STEP_MS = 50;

/** How often each list was changed, by all clients. */
const changed = { tools: 0, prompts: 0 };

/** Tools that send messages before their result, or on other streams. */
export function addStreamTools(server, changes) {
  server.registerTool('test_tool_with_logging', { description: 'Logs three times.' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'Tool execution started');
    await delay(STEP_MS);
    await mcpReq.log('info', 'Tool processing data');
    await delay(STEP_MS);
    await mcpReq.log('info', 'Tool execution completed');
    return text('Logged three messages.');
  });
  server.registerTool('test_logging_tool', { description: 'Logs once.' }, async ({ mcpReq }) => {
    await mcpReq.log('info', 'For those who want to know');
    return text('Logged a message.');
  });
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.' }, async ({ mcpReq }) => {
    await report(mcpReq, 0);
    await delay(STEP_MS);
    await report(mcpReq, 50);
    await delay(STEP_MS);
    await report(mcpReq, 100);
    return text('All done.');
  });
  server.registerTool('test_reconnection', { description: 'Closes its stream, then answers.' }, async ({ http }) => {
    http?.closeSSE?.();
    await delay(2 * STEP_MS);
    return text('Answered after the stream was closed.');
  });
  server.registerTool('test_wait', { description: 'Answers when it is cancelled.' }, async ({ mcpReq }) => {
    await report(mcpReq, 0);
    await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve, { once: true }));
    return text('Cancelled.');
  });
  addTriggers(server, changes);
}

function addTriggers(server, changes) {
  for (const [name, list, tell] of [
    ['test_trigger_tool_change', 'tools', () => changes.toolsChanged()],
    ['test_trigger_prompt_change', 'prompts', () => changes.promptsChanged()],
  ]) {
    server.registerTool(name, { description: `Changes the ${list}, so far ${changed[list]} times.` }, () => {
      changed[list] += 1;
      tell();
      return text(`Changed the ${list}.`);
    });
  }
}

async function report({ _meta, notify }, progress) {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return;
  await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
}
