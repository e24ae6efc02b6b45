import { describe, expect, it } from 'vitest';
import { BoundValues } from './bound-values.ts';

function answer(result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result });
}

function request(params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'x/y', params });
}

describe('values that one side generates and the other sends back', () => {
  it('replaces the recorded cursor with the cursor of the live server', () => {
    const bound = new BoundValues();
    bound.learn(answer({ tools: [], nextCursor: '2' }), answer({ tools: [], nextCursor: 'b' }), 'tools/list');
    expect(bound.toLive(request({ cursor: '2' }), 'tools/list').text).toBe(request({ cursor: 'b' }));
    expect(bound.toRecorded(request({ cursor: 'b' }), 'tools/list')).toBe(request({ cursor: '2' }));
  });

  it('does not use the cursor of one list for another', () => {
    const bound = new BoundValues();
    bound.learn(answer({ nextCursor: '2' }), answer({ nextCursor: 'b' }), 'tools/list');
    expect(bound.toLive(request({ cursor: '2' }), 'prompts/list').text).toBe(request({ cursor: '2' }));
  });

  it.each([
    ['a task', { task: { taskId: 't1' } }, { task: { taskId: 't2' } }, { taskId: 't1' }, { taskId: 't2' }],
    ['a state', { requestState: 's1' }, { requestState: 's2' }, { requestState: 's1' }, { requestState: 's2' }],
    [
      'a related task',
      { task: { taskId: 't1' } },
      { task: { taskId: 't2' } },
      { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't1' } } },
      { _meta: { 'io.modelcontextprotocol/related-task': { taskId: 't2' } } },
    ],
    [
      'an address',
      { content: [{ uri: 'a://x' }] },
      { content: [{ uri: 'a://y' }] },
      { uri: 'a://x' },
      { uri: 'a://y' },
    ],
    [
      'an id in a text that holds JSON',
      { content: [{ type: 'text', text: '{"id":17}' }] },
      { content: [{ type: 'text', text: '{"id":18}' }] },
      { arguments: { id: 17 } },
      { arguments: { id: 18 } },
    ],
  ])('replaces %s with its live value', (_, recorded, live, sent, expected) => {
    const bound = new BoundValues();
    bound.learn(answer(recorded), answer(live));
    expect(bound.toLive(request(sent)).text).toBe(request(expected));
  });

  it('does not replace values that are equal by coincidence', () => {
    const bound = new BoundValues();
    bound.learn(answer({ content: [{ text: 'old' }], total: 3 }), answer({ content: [{ text: 'new' }], total: 4 }));
    const sent = request({ arguments: { word: 'old', total: 3 } });
    expect(bound.toLive(sent).text).toBe(sent);
  });

  it('replaces a folder within paths, but not a folder whose name only starts with the same characters', () => {
    const bound = new BoundValues();
    bound.learn(answer({ roots: [{ uri: 'file:///tmp/old' }] }), answer({ roots: [{ uri: 'file:///tmp/new' }] }));
    expect(bound.toRecorded(request({ path: '/tmp/new/a.txt' }))).toBe(request({ path: '/tmp/old/a.txt' }));
    expect(bound.toRecorded(request({ path: '/tmp/newer/a.txt' }))).toBe(request({ path: '/tmp/newer/a.txt' }));
  });

  it('changes only the bound values in a message', () => {
    const bound = new BoundValues();
    bound.learn(answer({ requestState: 'one' }), answer({ requestState: 'two' }));
    const text = '{ "id" : 1.0, "params":{"requestState" : "\\u006fne","n":12345678901234567890} }';
    expect(bound.toLive(text).text).toBe(text.replace('"\\u006fne"', '"two"'));
  });
});

/** What becomes of recorded arguments after the server has answered differently; `unclear` if they must not be sent. */
function sentAfter(recorded: unknown, live: unknown, args: object): object | 'unclear' {
  const bound = new BoundValues((value) => JSON.stringify(args).includes(value));
  bound.learn(answer(recorded), answer(live), 'tools/call');
  const { text, unclear } = bound.toLive(request({ arguments: args }), 'tools/call');
  return unclear === undefined ? JSON.parse(text).params.arguments : 'unclear';
}

const text = (...lines: string[]): object => ({ content: [{ type: 'text', text: lines.join('\n') }] });
const note = (id: unknown, title: string): object => ({ id, title });

describe('objects in a list', () => {
  it.each([
    ['a new first element', ['n-0001', 'n-0002'], ['n-0000', 'n-0001', 'n-0002']],
    ['another order', ['n-0001', 'n-0002'], ['n-0002', 'n-0001']],
    ['a removed element', ['n-0000', 'n-0001'], ['n-0001']],
  ])('keeps the ids of objects in a list with %s', (_, recorded, live) => {
    expect(sentAfter({ ids: recorded }, { ids: live }, { id: 'n-0001' })).toEqual({ id: 'n-0001' });
    const [were, are] = [recorded, live].map((ids) => ids.map((id) => note(id, `Note ${id}`)));
    expect(sentAfter({ notes: were }, { notes: are }, { noteId: 'n-0001' })).toEqual({ noteId: 'n-0001' });
    expect(sentAfter(text(...recorded), text(...live), { note: 'n-0001' })).toEqual({ note: 'n-0001' });
  });

  it.each([
    ['objects', (ids: unknown[]) => ({ notes: ids.map((id, index) => note(id, `Note ${index + 1}`)) })],
    ['JSON in a text', (ids: unknown[]) => text(JSON.stringify(ids.map((id, index) => note(id, `Note ${index + 1}`))))],
    ['lines of a text', (ids: unknown[]) => text(...ids.map((id, index) => `${id}: buy ${index + 2} eggs`))],
    [
      'blocks',
      (ids: unknown[]) => ({ content: ids.map((id, index) => ({ type: 'text', text: `${id} ${'ab'[index]}` })) }),
    ],
  ])('recognizes objects in %s by their other content', (_, make) => {
    const recorded = make(['old-0001', 'old-0002']);
    const live = make(['new-0008', 'new-0009']);
    expect(sentAfter(recorded, live, { id: 'old-0002' })).toEqual({ id: 'new-0009' });
  });

  it('recognizes objects that are listed in another order', () => {
    const recorded = { notes: [note(1, 'milk'), note(2, 'eggs')] };
    const live = { notes: [note(9, 'eggs'), note(8, 'milk')] };
    expect(sentAfter(recorded, live, { id: 2 })).toEqual({ id: 9 });
  });

  it.each([
    ['nothing tells new objects apart', { ids: ['a-0001', 'b-0002'] }, { ids: ['x-0008', 'y-0009'] }, { id: 'a-0001' }],
    [
      'a new object looks like several recorded ones',
      { notes: [note(1, 'milk'), note(2, 'milk')] },
      { notes: [note(3, 'milk'), note(4, 'milk')] },
      { id: 1 },
    ],
    [
      'another object has the recorded id now',
      { notes: [note(1, 'milk'), note(2, 'eggs')] },
      { notes: [note(2, 'milk'), note(3, 'eggs')] },
      { id: 2 },
    ],
    ['one of several was replaced', { ids: ['a-0001', 'b-0002'] }, { ids: ['a-0001', 'c-0003'] }, { id: 'b-0002' }],
    ['the member has another name', { id: 5 }, { note: { ref: 9 } }, { id: 5 }],
    ['the live call failed', { id: 5 }, { isError: true, ...text('No space left') }, { id: 5 }],
    ['the lines of a text are alike', text('- n-1', '- n-2'), text('- n-8', '- n-9'), { note: 'n-1' }],
  ])('does not guess the new id of an object if %s', (_, recorded, live, args) => {
    expect(sentAfter(recorded, live, args)).toBe('unclear');
  });
});

describe('objects that may be other ones', () => {
  const tax = { id: 'note-0777', title: 'Tax return' };
  const groceries = { id: 'note-0001', title: 'Groceries' };
  it.each([
    ['a list of one object', { notes: [groceries] }, { notes: [tax] }],
    ['a list of one object in a text', text(JSON.stringify([groceries])), text(JSON.stringify([tax]))],
    ['an object', { note: groceries }, { note: tax }],
    ['a line', text('note-0001 Invoice 2023'), text('note-0777 Invoice 2024')],
    [
      'a name with a number',
      { notes: [{ ...groceries, title: 'Invoice 2023' }, note('n-0002', 'Milk')] },
      { notes: [{ ...tax, title: 'Invoice 2024' }, note('x-0002', 'Milk')] },
    ],
    [
      'a child',
      { notes: [{ ...note('p-1', 'P'), child: groceries }] },
      { notes: [{ ...note('p-9', 'P'), child: tax }] },
    ],
    [
      'the child of another object',
      { user: { name: 'Ada', account: { id: 'note-0001' } } },
      { user: { name: 'Bob', account: { id: 'note-0777' } } },
    ],
    ['a list of one id', { ids: ['note-0001'] }, { ids: ['note-0777'] }],
    [
      'nested content',
      { notes: [{ id: 'note-0001', tag: { color: 'red' } }] },
      { notes: [{ id: 'note-0777', tag: { color: 'blue' } }] },
    ],
    ['one line', text('ids: note-0001, note-0002'), text('ids: note-0099, note-0098')],
    ['one line, one changed', text('Found note-0002 and note-0001'), text('Found note-0002 and note-0098')],
    [
      'resource links',
      { content: [{ type: 'resource_link', uri: 'note-0001', name: 'Groceries' }] },
      { content: [{ type: 'resource_link', uri: 'note-0777', name: 'Tax return' }] },
    ],
    ['members named by ids', { notes: { 'note-0001': { title: 'A' } } }, { notes: { 'note-0777': { title: 'B' } } }],
    ['a failed call', { id: 'note-0001' }, { isError: true, id: 'note-0777' }],
  ])('does not send the id of %s', (_, recorded, live) => {
    expect(sentAfter(recorded, live, { id: 'note-0001' })).toBe('unclear');
  });

  it.each([
    ['a repeated id', { id: 'n-5', title: 'Note n-5' }, { id: 'n-9', title: 'Note n-9' }],
    ['an amount', text('Created issue n-5 with 2 labels in 12 ms'), text('Created issue n-9 with 2 labels in 15 ms')],
    [
      'members named by ids',
      { 'n-5': { title: 'A' }, 'n-6': { title: 'B' } },
      { 'n-8': { title: 'B' }, 'n-9': { title: 'A' } },
    ],
    [
      'a text that differs',
      { ...text('Made it'), structuredContent: { id: 'n-5' } },
      { ...text('Done'), structuredContent: { id: 'n-9' } },
    ],
  ])('sends the id of the same object beside %s', (_, recorded, live) => {
    expect(sentAfter(recorded, live, { id: 'n-5' })).toEqual({ id: 'n-9' });
  });
});

describe('a changed id at another place', () => {
  const [was, is] = [
    { id: 4711, title: 'T' },
    { id: 4899, title: 'T' },
  ];
  it.each([
    ['as a string', was, is, { id: '4711' }, { id: '4899' }],
    ['under a name that is no id', was, is, { note: 4711 }, 'unclear'],
    ['in a path', was, is, { path: '/notes/4711' }, 'unclear'],
    ['in a sentence', was, is, { text: 'close 4711 now' }, 'unclear'],
    ['as a member name', was, is, { notes: { '4711': true } }, 'unclear'],
    ['as a short string under another name', { id: 'n-2' }, { id: 'x-2' }, { parent: 'n-2' }, { parent: 'x-2' }],
    ['as a short string in a path', { id: 'n-2' }, { id: 'x-2' }, { path: 'notes/n-2/body' }, 'unclear'],
    ['as a small number in a path', { id: 5 }, { id: 9 }, { path: '/notes/5' }, 'unclear'],
    ['as an amount', { id: 5 }, { id: 9 }, { id: 5, limit: 5 }, { id: 9, limit: 5 }],
    ['as a number in a sentence', { id: 5 }, { id: 9 }, { id: 5, text: 'buy 5 eggs' }, { id: 9, text: 'buy 5 eggs' }],
    ['of an unknown number', text('Created note 5'), text('Created note 9'), { note: 5 }, 'unclear'],
  ])('is replaced or unclear %s', (_, recorded, live, args, expected) => {
    expect(sentAfter(recorded, live, args)).toEqual(expected);
  });
});

describe('the id of a new object', () => {
  it.each([
    ['under its own name', { id: 5 }, { id: 9 }, { id: 5 }, { id: 9 }],
    ['under a longer name', { id: 5 }, { id: 9 }, { noteId: 5, limit: 5 }, { noteId: 9, limit: 5 }],
    ['from a text', text('Created issue #5.'), text('Created issue #9.'), { issue_number: 5 }, { issue_number: 9 }],
    [
      'in letters',
      text('Created note-febaacec'),
      text('Created note-deadbeef'),
      { id: 'note-febaacec' },
      { id: 'note-deadbeef' },
    ],
    [
      'in mixed case',
      text('Made kQzVhXbTLwPmRsYd'),
      text('Made AbCdEfGhIjKlMnOp'),
      { id: 'kQzVhXbTLwPmRsYd' },
      { id: 'AbCdEfGhIjKlMnOp' },
    ],
    ['as a string', text('Created n-5'), text('Created n-9'), { note: 'n-5' }, { note: 'n-9' }],
    [
      'within a path',
      text('Made run-00005'),
      text('Made run-00009'),
      { path: '/r/run-00005/x' },
      { path: '/r/run-00009/x' },
    ],
  ])('sends the id of a new object back %s', (_, recorded, live, args, expected) => {
    expect(sentAfter(recorded, live, args)).toEqual(expected);
  });

  it('does not send an id if equal ids of two kinds became different ones', () => {
    const bound = new BoundValues(() => true);
    bound.learn(answer({ id: 1 }), answer({ id: 5 }), 'tools/call');
    bound.learn(answer({ id: 1 }), answer({ id: 9 }), 'tools/call');
    expect(bound.toLive(request({ arguments: { id: 1 } })).unclear).toBe('1');
  });

  it('does not send an id if an equal id of another kind is unchanged', () => {
    const bound = new BoundValues(() => true);
    bound.learnEqual(answer({ users: [{ id: 1, name: 'Ada' }] }));
    bound.learn(answer({ id: 1 }), answer({ id: 5 }), 'tools/call');
    expect(bound.toLive(request({ arguments: { id: 1 } })).unclear).toBe('1');
  });

  it('keeps bound ids when a list does not distinguish its objects', () => {
    const bound = new BoundValues(() => true);
    bound.learn(answer({ id: 'a-0001' }), answer({ id: 'x-0008' }), 'tools/call');
    bound.learn(answer({ id: 'b-0002' }), answer({ id: 'y-0009' }), 'tools/call');
    bound.learn(answer({ ids: ['a-0001', 'b-0002'] }), answer({ ids: ['y-0009', 'x-0008'] }), 'tools/call');
    const { text, unclear } = bound.toLive(request({ ids: ['a-0001', 'b-0002'] }));
    expect({ text, unclear }).toEqual({ text: request({ ids: ['x-0008', 'y-0009'] }), unclear: undefined });
  });

  it('does not send an id if the live server never answered', () => {
    const bound = new BoundValues(() => true);
    bound.learnMissing(answer({ id: 5 }), 'tools/call');
    expect(bound.toLive(request({ arguments: { id: 5 } })).unclear).toBe('5');
  });
});
