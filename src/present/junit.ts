import { visible } from './visible-text.ts';
/** One test case of a suite. */
export interface JunitCase {
  readonly name: string;
  readonly className: string;
  readonly failure?: JunitFailure | undefined;
}

export interface JunitFailure {
  /** The kind of failure, for programs. */
  readonly type: string;
  /** On one line. */
  readonly message: string;
  /** The full description. */
  readonly text: string;
}

/** All checks of one recording. */
export interface JunitSuite {
  readonly name: string;
  readonly atMs: number;
  readonly cases: readonly JunitCase[];
}

/**
 * Formats a report as JUnit XML, which originated with Ant's JUnit task and which every CI reads. It satisfies the
 * strictest of its schemas, which requires empty elements and a host name, and allows no attributes on the root.
 */
export function junitXml(suites: readonly JunitSuite[]): string {
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>'];
  for (const [index, suite] of suites.entries()) lines.push(...suiteLines(suite, index));
  return `${lines.join('\n')}\n</testsuites>\n`;
}

function suiteLines({ name, atMs, cases }: JunitSuite, id: number): string[] {
  const attributes = attributesText({
    id: String(id),
    package: 'mcpreel',
    name: name.trim() === '' ? '(unnamed)' : name,
    timestamp: timestampOf(atMs),
    hostname: 'localhost',
    tests: String(cases.length),
    failures: String(cases.filter(({ failure }) => failure !== undefined).length),
    errors: '0',
    time: '0',
  });
  return [
    `  <testsuite ${attributes}>`,
    '    <properties/>',
    ...cases.flatMap(caseLines),
    '    <system-out/>',
    '    <system-err/>',
    '  </testsuite>',
  ];
}

function caseLines({ name, className, failure }: JunitCase): string[] {
  const open = `    <testcase ${attributesText({ classname: className, name, time: '0' })}`;
  if (failure === undefined) return [`${open}/>`];
  const { type, message, text } = failure;
  return [
    `${open}>`,
    `      <failure ${attributesText({ type, message })}>${escaped(text)}</failure>`,
    '    </testcase>',
  ];
}

/** The schemas require four digits for the year and no time zone. */
function timestampOf(atMs: number): string {
  const time = new Date(atMs).toISOString();
  return /^[1-9]\d{3}-/.test(time) ? time.slice(0, 'YYYY-MM-DDThh:mm:ss'.length) : '1970-01-01T00:00:00';
}

/** Tabs and line breaks are escaped, because an XML parser turns them into spaces in attributes. */
function attributesText(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name}="${escaped(value).replaceAll(/[\t\n]/g, (char) => `&#${char.charCodeAt(0)};`)}"`)
    .join(' ');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Among the characters that `visible` escapes are all that XML 1.0 forbids even as entities. */
function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
