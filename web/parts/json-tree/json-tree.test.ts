import { describe, expect, it } from 'vitest';
import { TreeModel, type TreeRow } from './tree-model.ts';

function treeOf(text: string, showsContent = false): TreeModel {
  const tree = TreeModel.of(text, showsContent);
  if (tree === undefined) throw new Error('no JSON');
  return tree;
}

function say(row: TreeRow): string {
  const indent = ' '.repeat(row.level);
  if (row.kind === 'more') return `${indent}… ${row.from}-${row.to}`;
  const { note, count, canOpen, preview } = row.facts;
  const marks = canOpen ? (row.isOpen ? '▾ ' : '▸ ') : '';
  const size = count === undefined ? '' : ` [${count}]`;
  const value = row.isOpen ? '' : ` ${preview}`;
  return `${indent}${marks}${row.node.label ?? ''}${size}${note === undefined ? '' : ` ${note}`}${value}`.trimEnd();
}

function linesOf(tree: TreeModel): string[] {
  return tree.rows().map(say);
}

function rowOf(tree: TreeModel, label: string): Extract<TreeRow, { kind: 'node' }> {
  const row = tree.rows().find((one) => one.kind === 'node' && one.node.label === label);
  if (row?.kind !== 'node') throw new Error(`no line ${label}`);
  return row;
}

describe('the JSON tree', () => {
  it('keeps digits, escapes, spellings and duplicate keys', () => {
    const text = '{"a":12345678901234567890.10,"a":1e400,"\\u0062":"\\u00e9\\/"}';
    expect(linesOf(treeOf(text))).toEqual([' a 12345678901234567890.10', ' a 1e400', ' \\u0062 "\\u00e9\\/"']);
  });

  it('shows a content block by its type, and the JSON in its text as JSON', () => {
    const inner = JSON.stringify({ message: 'Validation Failed', status: 422 });
    const text = JSON.stringify({ content: [{ type: 'text', text: inner }], isError: true });
    expect(linesOf(treeOf(text, true))).toEqual([
      ' ▾ content [1]',
      '  ▾ 0 text, JSON inside',
      '   message "Validation Failed"',
      '   status 422',
      ' isError true',
    ]);
  });

  it('gives the path into a string that contains JSON', () => {
    const inner = JSON.stringify({ list: [1, { 'a b': 2 }] });
    const tree = treeOf(JSON.stringify({ content: [{ type: 'text', text: inner }] }), true);
    expect(rowOf(tree, 'a b').node.path).toBe("$.content[0].text → $.list[1]['a b']");
    const plain = treeOf(JSON.stringify({ held: inner }));
    expect(rowOf(plain, 'list').node.path).toBe('$.held → $.list');
  });

  it('treats an object as a content block only where content is expected', () => {
    const text = JSON.stringify({ a: { type: 'text', text: 'hello' } });
    expect(linesOf(treeOf(text))).toEqual([' ▾ a', '  type "text"', '  text "hello"']);
    expect(linesOf(treeOf(text, true))).toEqual([' ▾ a text']);
    expect(rowOf(treeOf(text, true), 'a').facts.parts).toEqual([{ kind: 'text', text: 'hello' }]);
  });

  it('recognizes images, audio, resource links and embedded resources', () => {
    const text = JSON.stringify({
      content: [
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'audio', mimeType: 'audio/wav', data: 'BBBB' },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
        { type: 'resource', resource: { uri: 'x:1', mimeType: 'text/plain', text: 'hi' } },
      ],
    });
    const parts = treeOf(text, true)
      .rows()
      .flatMap((row) => (row.kind === 'node' ? row.facts.parts : []));
    expect(parts).toEqual([
      { kind: 'bytes', mimeType: 'image/png', base64: 'AAAA' },
      { kind: 'bytes', mimeType: 'audio/wav', base64: 'BBBB' },
      { kind: 'link', uri: 'file:///a' },
      { kind: 'link', uri: 'x:1' },
      { kind: 'text', text: 'hi' },
    ]);
  });

  it('summarizes a collapsed container', () => {
    const long = 'x'.repeat(100);
    const text = JSON.stringify({ errors: [{ resource: 'Search', field: 'q', long, more: 1, deep: {} }] });
    const tree = treeOf(text);
    tree.toggle(rowOf(tree, 'errors').id, false);
    expect(linesOf(tree)).toEqual([` ▸ errors [1] { resource: "Search", field: "q", long: "${'x'.repeat(30)}…", … }`]);
  });

  it('initially collapses a long list of objects, but not all content blocks', () => {
    const tools = Array.from({ length: 20 }, (_, n) => ({ name: `t${n}`, a: 1, b: 2, c: 3, d: 4 }));
    const isClosed = ({ isOpen, level }: Extract<TreeRow, { kind: 'node' }>): boolean => level === 2 && !isOpen;
    const rows = (text: string): Extract<TreeRow, { kind: 'node' }>[] =>
      treeOf(text, true)
        .rows()
        .filter((row) => row.kind === 'node');
    expect(rows(JSON.stringify({ tools })).filter(isClosed)).toHaveLength(20);
    const content = Array.from({ length: 20 }, (_, n) => ({ type: 'text', text: `line\n${n}` }));
    expect(rows(JSON.stringify({ content })).filter(isClosed).length).toBeLessThan(20);
  });

  it('shows a long list in pages, and continues at the requested page', () => {
    const tree = treeOf(JSON.stringify(Array.from({ length: 1000 }, (_, n) => n)));
    expect(tree.rows()).toHaveLength(101);
    expect(linesOf(tree).at(-1)).toBe(' … 100-1000');
    tree.showPage('0', 500);
    expect(linesOf(tree)[100]).toBe(' … 100-500');
    expect(linesOf(tree)[101]).toBe(' 500 500');
    expect(linesOf(tree).at(-1)).toBe(' … 600-1000');
  });

  it('opens JSON nested 10,000 levels deep and finds the innermost value', () => {
    const tree = treeOf(`${'[1,'.repeat(10_000)}"bottom"${']'.repeat(10_000)}`);
    expect(tree.rows().length).toBeLessThan(100);
    const [way, ...others] = tree.find('BOTTOM');
    expect(others).toEqual([]);
    expect(way && tree.reveal(way)).toBeDefined();
  });

  it('finds text in keys, in values, behind escapes and in strings that contain JSON', () => {
    const inner = JSON.stringify({ deep: [{ word: 1 }] });
    const tree = treeOf(`{"Word":{"x":1},"b":"a w\\u006frd","c":${JSON.stringify(inner)},"d":[0,"word"]}`);
    const found = tree.find('word').map((way) => {
      const id = tree.reveal(way);
      return tree.rows().flatMap((row) => (row.kind === 'node' && row.id === id ? [row.node.path] : []));
    });
    expect(found.flat()).toEqual(['$.Word', '$.b', '$.c → $.deep[0].word', '$.d[1]']);
  });

  it('reveals a match far down a long list', () => {
    const tree = treeOf(JSON.stringify({ list: Array.from({ length: 20_000 }, (_, n) => `item ${n}.`) }));
    const [way] = tree.find('item 15001.');
    const id = way && tree.reveal(way);
    expect(tree.rows().some((row) => row.id === id)).toBe(true);
    expect(tree.rows().length).toBeLessThan(300);
  });

  it('returns no tree for invalid JSON', () => {
    expect(TreeModel.of('{"a":', false)).toBeUndefined();
    expect(TreeModel.of('', false)).toBeUndefined();
  });

  it('previews the first elements of a collapsed array', () => {
    const tree = treeOf(JSON.stringify({ list: [1, 'two', [3], 'x'.repeat(30), 'y'.repeat(30), 6] }));
    tree.toggle(rowOf(tree, 'list').id, false);
    expect(linesOf(tree)).toEqual([` ▸ list [6] 1, "two", […], "${'x'.repeat(30)}", "${'y'.repeat(30)}", …`]);
  });

  it('shows a lone scalar and an empty container', () => {
    expect(linesOf(treeOf(' 42 '))).toEqual([' 42']);
    expect(linesOf(treeOf('{}'))).toEqual(['']);
    expect(linesOf(treeOf('[]'))).toEqual([' [0]']);
  });
});
