import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

/** How each sentence of SECURITY.md begins, and the tests that show that it holds. */
const SENTENCES: readonly (readonly [beginning: string, ...tests: string[]])[] = [
  ['A recording contains the traffic', 'test/cli/recording', 'test/http/safety-secrets'],
  ['It also has the server', 'test/cli/recording'],
  ['Before anything is written', 'test/cli/recorded-secrets', 'test/security/artefacts'],
  ['`mcpreel export` does so', 'test/cli/export-redaction'],
  ['`--redact off` turns', 'test/cli/recorded-secrets'],
  ['[docs/redact.md]', 'test/docs'],
  ['The values of `--env`', 'test/library/record-session', 'test/http/safety-secrets', 'test/http/safety-guard'],
  ['Where the traffic contains them', 'test/http/safety-guard', 'src/redact/detect/given-values'],
  ['For HTTP, mcpreel records', 'test/http/safety-secrets'],
  ['A body without JSON-RPC', 'test/http/safety-secrets'],
  ['Only their owner can read', 'test/security/umask', 'test/security/artefacts'],
  ['mcpreel removes other users', 'test/security/foreign-state'],
  ['mcpreel never writes through', 'test/security/file-places'],
  ['Only `/dev/stdout`', 'test/security/file-places', 'src/files/replace-file'],
  ['Links in `/dev`', 'src/files/replace-file'],
  ['On Linux, what was forwarded', 'test/never-lose/journal'],
  ['It is a file in memory', 'test/never-lose/journal'],
  ['`--no-journal` turns', 'test/never-lose/journal'],
  ['mcpreel does not use a state folder', 'test/security/other-owners', 'test/security/foreign-state'],
  ['It records nothing there', 'test/security/foreign-state'],
  ['Commands that would read', 'test/security/foreign-state'],
  ['Before you commit', 'test/cli/redact'],
  ['To clean a recording', 'test/cli/redact'],
  ['Traffic and files are', 'test/security/hostile-recordings'],
  ['mcpreel runs a command', 'test/security/hidden-commands', 'test/security/page/narrow-dialog'],
  ['If mcpreel did not record', 'test/security/hidden-commands', 'test/security/page/hidden-commands'],
  ['Patterns in the schemas', 'test/security/hostile-schemas', 'src/analysis/findings/schema/schema-check'],
  ['References are resolved', 'test/security/hostile-schemas'],
  ['Commands that mcpreel prints', 'test/security/pasted-commands'],
  ['Values that some shell', 'test/security/pasted-commands', 'src/model/shell-line'],
  ['On Windows those are', 'test/security/pasted-commands', 'src/model/shell-line'],
  ['It never evaluates', 'test/security/hostile-recordings', 'test/web/hostile'],
  ['It escapes control', 'test/security/hostile-recordings', 'test/tui/hostile'],
  ['[docs/threat-model.md]', 'test/security/threat-model'],
  ['`mcpreel -- server` opens', 'test/security/own-access'],
  ['These open one', 'test/security/own-access'],
  ['`mcpreel record` with a', 'test/security/own-access', 'test/http/safety-guard'],
  ['`record` and `mock` with', 'test/security/forged-requests', 'test/tui/own-screen'],
  ['`recordSession` and', 'test/library/record-session', 'test/library/start-mock'],
  ['`mcpreel view` and `demo`', 'test/view/guard', 'test/cli/demo'],
  ['Only the page', 'test/view/guard', 'test/security/forged-requests'],
  ['The browser gets', 'test/security/browser-arguments'],
  ['A running session also', 'test/security/umask', 'src/control/other-user'],
  ['[docs/http.md]', 'test/docs'],
  ['The listener is bound', 'test/http/safety-guard'],
  ['A page in your browser', 'test/security/forged-requests'],
  ['A link from another site', 'test/security/forged-requests', 'src/transport/http/listener-guard'],
  ['`/authorize` and', 'test/security/forged-requests', 'src/transport/http/listener-guard'],
  ['the documents `oauth', 'test/security/forged-requests', 'src/transport/http/listener-guard'],
  ['With `--token`', 'test/http/safety-guard'],
  ['Listening on another', 'test/http/safety-guard'],
  ['The token (header', 'test/security/guessed-tokens', 'test/http/safety-guard'],
  ['It is sent over plain', 'test/security/guessed-tokens'],
  ['Requests go to the target', 'test/security/own-access'],
  ['mcpreel does not follow', 'test/http/safety-guard', 'test/security/own-address'],
  ['Headers added with', 'test/security/forged-requests', 'test/http/safety-guard'],
  ['Any client that can connect', 'test/security/forged-requests'],
  ['The size of headers', 'src/transport/http/http-listener'],
  ['A [bridge](docs/bridge.md) also', 'test/security/floods', 'test/security/waiting-bodies'],
  ['Certificates are verified', 'test/http/faults-connecting'],
];

/** The sentences of the page that promise something. */
function sentences(): string[] {
  const page = readFileSync(new URL('SECURITY.md', root), 'utf8');
  const promises = page.slice(page.indexOf('## What recordings contain'));
  return promises
    .split(/\n\n|\n(?= *- )/)
    .filter((paragraph) => !paragraph.startsWith('#'))
    .flatMap((paragraph) =>
      paragraph
        .replaceAll(/\s+/g, ' ')
        .trim()
        .replace(/^- /, '')
        .split(/(?<=[.:;]) (?=[A-Z`[]|mcpreel )/),
    );
}

describe('SECURITY.md', () => {
  it('has tests for each sentence', () => {
    const missing = sentences().filter((one) => SENTENCES.every(([beginning]) => !one.startsWith(beginning)));
    expect(missing).toEqual([]);
    const gone = SENTENCES.filter(([beginning]) => !sentences().some((one) => one.startsWith(beginning)));
    expect(gone).toEqual([]);
  });

  it('names only tests that exist', () => {
    const tests = new Set(SENTENCES.flatMap(([, ...names]) => names));
    expect([...tests].filter((name) => !existsSync(new URL(`${name}.test.ts`, root)))).toEqual([]);
  });
});
