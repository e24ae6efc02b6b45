import type { Detector } from './detector.ts';
import { isLiteral } from './plausibility.ts';

/** The words between a program's name and one of its options. */
const WORDS = String.raw`(?:[^\n|;&]{0,200}?\s)?`;
const LOGINS = 'docker|podman|helm|az|oc|buildah|skopeo|cf|ibmcloud|nerdctl';
const VALUE = String.raw`\\*['"]?((?![-<>{$%\s])[^\s'"\\]{3,200})`;

/** Options that take a password and whose names do not say so, each with the programs that have it. */
export const COMMAND_DETECTORS: readonly Detector[] = [
  option(['[Mm]ysq', 'mari'], '(?:mysql(?:dump|admin|import|sh|show|check)?|mariadb(?:-dump|-admin)?)', `${WORDS}-p`),
  option(['sshp'], 'sshpass', String.raw`-p\s{0,4}`),
  { ...option(['s-cl'], 'redis-cli', String.raw`${WORDS}-a\s{1,4}`), lead: 4 },
  option(['logi'], `(?<=(?:${LOGINS})[ \\t\\\\](?:registry )?)login`, String.raw`${WORDS}-p\s{1,4}`),
  option(['ldap'], 'ldap(?:search|modify|add|delete|whoami|passwd|compare)', String.raw`${WORDS}-w\s{1,4}`),
  option(['mong'], 'mongo(?:sh|dump|restore|import|export)?', String.raw`${WORDS}-p\s{1,4}`),
  option(['htpa'], 'htpasswd', String.raw`-\w{0,4}b\w{0,4}\s{1,4}\S{1,100}\s{1,4}\S{1,100}\s{1,4}`),
  option(['smbc'], 'smbclient', String.raw`${WORDS}-U\s{0,4}\\*['"]?[^\s%'"]{1,60}%`),
  option(['-pas'], '-pass(?:in|out)?', String.raw`\\*["']?pass:`),
  {
    ...option([' -u[ \'"=\\]', '-[Uu]se'], String.raw`(?:\s-u|-user)`, String.raw`\\*["']?[^\s:"'\\]{1,100}:`),
    pattern: new RegExp(String.raw`(?:\s-u|-user)[ =]?\\*["']?[^\s:"'\\]{1,100}:${VALUE}`, 'dy'),
    hint: /(?:[\st]-u|-user)[ =\\"']/y,
    accepts: (secret, text, at) =>
      isLiteral(secret) && !/^\d+$/.test(secret) && /\b(?:curl|wget|https?|xh)\b/.test(lineBefore(text, at)),
  },
  {
    kind: 'sql-password',
    anchors: ['[Ff][Ii][Ee][Dd]'],
    lead: 6,
    pattern:
      /identified\s{1,8}(?:with\s{1,8}\S{1,40}\s{1,8})?(?:by|as)\s{1,8}(?:password\s{1,4})?\\*['"]([^'"\n\\]{3,200})/diy,
    hint: /identified/iy,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'basic-auth',
    anchors: ['[Aa]uth'],
    pattern: /auth\s?=\s?\(\s?["'][^"'\n]{1,80}["'],\s?["']([^"'\n]{4,200})["']/diy,
    hint: /auth\s?=\s?\(/iy,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'netrc-password',
    anchors: ['logi'],
    pattern: /login\s{1,8}\S{1,80}\s{1,8}password\s{1,8}(\S{3,200})/dy,
    hint: /login(?:[ \t]|\\[ntr])/y,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'pgpass-password',
    anchors: [':543', ':*:*'],
    pattern: /(?<=(?:^|\n)[\w.*-]{1,100}):(?:\d{2,5}|\*):[\w*.$-]{1,63}:[\w*.$@-]{1,63}:([^\s:]{3,200})(?=\r?\n|$)/dy,
    hint: /:(?:5432|5433|\*):/y,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'secure-string',
    anchors: ['reSt'],
    lead: 4,
    pattern: /SecureString\s{1,4}(?:-String\s{1,4})?["']([^"'\n$]{4,200})/dy,
    hint: /SecureString/y,
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
  },
  {
    kind: 'bundle-credentials',
    anchors: ['[Ss][Yy][Ss]_'],
    pattern: /(?<=contrib)sys__com["'\s:=]{1,8}([0-9a-f]{8}:[0-9a-f]{8})/diy,
    hint: /sys__com/iy,
    anywhere: true,
    byContext: true,
  },
  {
    kind: 'session-cookie',
    anchors: ['b_se'],
    pattern: /(?<=gitla)b_session=([0-9a-z]{32})/dy,
    anywhere: true,
    byContext: true,
  },
];

function option(anchors: readonly string[], program: string, rest: string): Detector {
  return {
    kind: 'command-password',
    anchors,
    pattern: new RegExp(String.raw`${program}\s{1,4}${rest}${VALUE}`, 'dy'),
    hint: new RegExp(String.raw`${program}[\s\\]`, 'y'),
    anywhere: true,
    byContext: true,
    accepts: isLiteral,
    skips: 100,
  };
}

function lineBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 400), at);
}
