/** An element of an XML document. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Its own text, without its children's. */
  readonly text: string;
}

/** All characters that XML 1.0 allows. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\s*/;
const ATTRIBUTE = /\s+([\w-]+)="([^"<]*)"/y;
const TAG = /<(\/?)([A-Za-z][\w-]*)/y;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses a document without comments, sections and declarations. Throws if it is not well formed. */
export function parseXml(text: string): XmlElement {
  if (!CHARACTERS.test(text)) throw new Error('There is a character that no XML document may hold');
  const start = DECLARATION.exec(text)?.[0].length;
  if (start === undefined) throw new Error('There is no declaration');
  const { element, end } = readElement(text, start);
  if (text.slice(end).trim() !== '') throw new Error(`There is more after the root: ${text.slice(end, end + 40)}`);
  return element;
}

function readElement(text: string, at: number): { element: XmlElement; end: number } {
  const [opening, slash, name = ''] = match(TAG, text, at);
  if (slash !== '') throw new Error(`An element is closed that was not opened: ${name}`);
  const { attributes, end: afterAttributes } = readAttributes(text, at + opening.length);
  if (text.startsWith('/>', afterAttributes)) {
    return { element: { name, attributes, children: [], text: '' }, end: afterAttributes + 2 };
  }
  const [close] = match(/\s*>/y, text, afterAttributes);
  const children: XmlElement[] = [];
  let own = '';
  for (let i = afterAttributes + close.length; ; ) {
    const next = text.indexOf('<', i);
    if (next < 0) throw new Error(`${name} is not closed`);
    own += decoded(text.slice(i, next));
    if (text.startsWith('</', next)) {
      const [closing] = match(new RegExp(`</${name}\\s*>`, 'y'), text, next);
      return { element: { name, attributes, children, text: own }, end: next + closing.length };
    }
    const child = readElement(text, next);
    children.push(child.element);
    i = child.end;
  }
}

function readAttributes(text: string, at: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let end = at;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const [whole, name = '', value = ''] = ATTRIBUTE.exec(text) ?? [];
    if (whole === undefined) return { attributes, end };
    if (attributes.has(name)) throw new Error(`The attribute ${name} is there twice`);
    // XML readers turn literal line breaks in attributes into spaces.
    attributes.set(name, decoded(value.replaceAll(/[\t\n\r]/g, ' ')));
    end += whole.length;
  }
}

function decoded(text: string): string {
  if (text.includes(']]>')) throw new Error('Text holds ]]>');
  return text.replaceAll(/&([^;]{0,8};?)/g, (_, entity: string) => {
    const name = entity.endsWith(';') ? entity.slice(0, -1) : '';
    const character = name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : ENTITIES[name];
    if (character === undefined || !CHARACTERS.test(character)) throw new Error(`There is no entity &${entity}`);
    return character;
  });
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) throw new Error(`Not well formed at ${JSON.stringify(text.slice(at, at + 40))}`);
  return found;
}
