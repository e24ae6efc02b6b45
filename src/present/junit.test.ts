import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { junitFaults } from '../../test/support/junit-rules.ts';
import { parseXml } from '../../test/support/xml.ts';
import { junitXml } from './junit.ts';
import { visible } from './visible-text.ts';

/** Characters that XML can hold and that no reader changes. */
const XML_TEXT = /^[\t\n -~\u00a0-\ud7ff]*$/;

describe('junitXml', () => {
  it('writes a suite with passed and failed cases', () => {
    const failure = { type: 'pending', message: '#004: never "answered"', text: 'one\n<two>' };
    const cases = [
      { name: 'late', className: 'mcpreel.check' },
      { name: 'pending', className: 'mcpreel.check', failure },
    ];
    expect(
      junitXml([{ name: 'a&b.json', atMs: Date.UTC(2026, 2, 4, 10, 0, 1), cases }]),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite id="0" package="mcpreel" name="a&amp;b.json" timestamp="2026-03-04T10:00:01" hostname="localhost" tests="2" failures="1" errors="0" time="0">
    <properties/>
    <testcase classname="mcpreel.check" name="late" time="0"/>
    <testcase classname="mcpreel.check" name="pending" time="0">
      <failure type="pending" message="#004: never &quot;answered&quot;">one
&lt;two&gt;</failure>
    </testcase>
    <system-out/>
    <system-err/>
  </testsuite>
</testsuites>
`);
  });

  it('produces a schema-valid report for any input, and keeps every visible character that XML allows', async () => {
    const reports: string[] = [];
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      fc.constantFrom('', ' ', ']]>', '</testcase>', '<!--', '&amp;', '"', '\ud800', '\u0000', 'a\nb', 'a\tb'),
    );
    const atMs = fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, hostile), { maxLength: 3 }), atMs, (texts, time) => {
        const suites = texts.map(([name, text]) => ({
          name,
          atMs: time,
          cases: [{ name, className: name, failure: { type: name, message: text, text } }],
        }));
        const report = junitXml(suites);
        reports.push(report);
        const root = parseXml(report);
        const failures = root.children.map(({ children }) => children[1]?.children[0]);
        expect(failures.map((failure) => failure?.attributes.get('message'))).toEqual(failures.map((f) => f?.text));
        // Only characters that XML cannot hold and invisible ones are written differently.
        const plain = texts.map(([, text]) => text).filter((text) => visible(text) === text && XML_TEXT.test(text));
        expect(failures.map((failure) => failure?.text)).toEqual(expect.arrayContaining(plain));
      }),
    );
    expect(await junitFaults(...reports)).toEqual([]);
  });
});

describe('the JUnit report schema', () => {
  const report = junitXml([{ name: 'a.json', atMs: 0, cases: [{ name: 'late', className: 'mcpreel.check' }] }]);

  it.each([
    ['an attribute too few', report.replace(' hostname="localhost"', ''), /'hostname' is required/],
    ['an attribute too many', report.replace('<testsuites>', '<testsuites tests="1">'), /'tests' is not allowed/],
    ['a time with a zone', report.replace('T00:00:00"', 'T00:00:00Z"'), /'timestamp'.* is not accepted/],
    ['an element too few', report.replace('    <properties/>\n', ''), /Expected is \( properties \)/],
    [
      'an element in another place',
      report.replace('<system-out/>', '<failure type=""/>'),
      /'failure': .* not expected/,
    ],
    ['a text without its end', report.slice(0, -5), /parser error/],
    ['a number that is not right', report.replace('tests="1"', 'tests="2"'), /counts wrongly/],
  ])('rejects %s', async (_, broken, fault) => {
    expect((await junitFaults(report, broken)).join('\n')).toMatch(fault);
    expect(await junitFaults(report)).toEqual([]);
  });
});
