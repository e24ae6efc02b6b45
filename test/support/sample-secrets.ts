/** Secrets for tests. They are built at runtime, so that secret scanners do not report this repository. */

export interface SampleSecret {
  readonly kind: string;
  /** The value that must be removed. */
  readonly secret: string;
  /** A text that contains it. */
  readonly text: string;
}

const LETTERS = 'aB3dE5gH7jK9mN1pQ2sT4vW6xY8z';

/** This many pseudo-random letters and digits. */
export function letters(count: number): string {
  return LETTERS.repeat(Math.ceil(count / LETTERS.length)).slice(0, count);
}

/** This many hexadecimal digits. */
export function hex(count: number): string {
  return '0f1e2d3c4b5a6978'.repeat(Math.ceil(count / 16)).slice(0, count);
}

export function base64(text: string): string {
  return btoa(text);
}

function base64url(text: string): string {
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export const JWT: string = [base64url('{"alg":"HS256","typ":"JWT"}'), base64url('{"sub":"1"}'), letters(43)].join('.');
export const GITHUB_TOKEN: string = `ghp_${letters(36)}`;
/** A token that mcpreel's own rules do not match. Its length leaves the last byte alone in a base64 group. */
export const SERVICE_ACCOUNT_TOKEN: string = `ops_${base64(`{"email":"a@example.com","secretKey":"${letters(99)}"}`)}`;
const DASHES = '-----';
export const PEM_LINES: readonly string[] = [
  `${DASHES}BEGIN RSA PRIVATE KEY${DASHES}`,
  letters(64),
  `${letters(60)}+/==`,
  `${DASHES}END RSA PRIVATE KEY${DASHES}`,
];
const PEM = PEM_LINES.join('\n');

const alone: readonly (readonly [kind: string, secret: string])[] = [
  ['aws-access-key-id', `AKIA${'IOSFODNN7EXAMPLE'}`],
  ['aws-access-key-id', `ASIA${'IOSFODNN7EXAMPLE'}`],
  ['aws-session-token', `IQoJb3Jp${letters(200)}/+=`],
  ['aws-session-token', `FwoGZXIv${letters(200)}`],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ['github-token', prefix + letters(36)] as const),
  ['github-token', `ghs_12345_${JWT}`],
  ['github-token', `github_pat_${letters(22)}_${letters(59)}`],
  ['gitlab-token', `glpat-${letters(20)}`],
  ['gitlab-token', `glpat-${letters(27)}.01.${'abc123def'}`],
  ['gitlab-token', `glrt-${letters(20)}`],
  ['gitlab-token', `gldt-${letters(20)}`],
  ['slack-token', `xoxb-${'123456789012'}-${letters(24)}`],
  ['slack-token', `xoxe.xoxp-1-${letters(40)}`],
  ['slack-token', `xapp-1-${letters(40)}`],
  ['stripe-key', `sk_live_${letters(24)}`],
  ['stripe-key', `rk_live_${letters(24)}`],
  ['stripe-key', `sk_test_${letters(24)}`],
  ['webhook-secret', `whsec_${letters(32)}`],
  ['anthropic-key', `sk-ant-api03-${letters(90)}-${letters(8)}AA`],
  ['openai-key', `sk-proj-${letters(40)}_${letters(40)}`],
  ['openai-key', `sk-${letters(48)}`],
  ['openai-key', `sk-or-v1-${hex(64)}`],
  ['groq-key', `gsk_${letters(52)}`],
  ['xai-key', `xai-${letters(80)}`],
  ['perplexity-key', `pplx-${letters(48)}`],
  ['google-api-key', `AIza${letters(35)}`],
  ['google-oauth-token', `ya29.${letters(60)}`],
  ['google-oauth-secret', `GOCSPX-${letters(28)}`],
  ['google-refresh-token', `1//0${letters(60)}`],
  ['npm-token', `npm_${letters(36)}`],
  ['hugging-face-token', `hf_${'abcdefGHIJ'.repeat(4).slice(0, 34)}`],
  ['jwt', JWT],
  [
    'jwt',
    [base64url('{"alg":"RSA-OAEP","enc":"A256GCM"}'), letters(40), letters(16), letters(40), letters(22)].join('.'),
  ],
  ['jwt', `${base64url('{"typ":"JWT","alg":"none"}')}.${base64url('{"sub":"1"}')}.`],
  ['sendgrid-key', `SG.${letters(22)}.${letters(43)}`],
  ['twilio-key', `SK${hex(32)}`],
  ['digitalocean-token', `dop_v1_${hex(64)}`],
  ['pypi-token', `pypi-AgEIcHlwaS5vcmc${letters(60)}`],
  ['docker-token', `dckr_pat_${letters(27)}`],
  ['age-secret-key', `AGE-SECRET-KEY-1${letters(58).toUpperCase()}`],
  ['linear-token', `lin_api_${letters(40)}`],
  ['notion-token', `ntn_${letters(46)}`],
  ['notion-token', `secret_${letters(43)}`],
  ['figma-token', `figd_${letters(40)}`],
  ['supabase-token', `sbp_${hex(40)}`],
  ['supabase-token', `sb_secret_${letters(31)}`],
  ['vault-token', `hvs.${letters(90)}`],
  ['databricks-token', `dapi${hex(32)}`],
  ['shopify-token', `shpat_${hex(32)}`],
  ['grafana-token', `glsa_${letters(32)}_${hex(8)}`],
  ['postman-key', `PMAK-${hex(24)}-${hex(34)}`],
  ['private-key', PEM],
  ['private-key', PEM.replaceAll('RSA PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')],
  ['private-key', PEM.replaceAll('RSA PRIVATE', 'OPENSSH PRIVATE')],
  // Truncated, with escaped line breaks, as in a log.
  ['private-key', PEM_LINES.slice(0, 3).join('\\n')],
];

const opaque = letters(32);
const inContext: readonly SampleSecret[] = [
  within('encoded-secret', base64(`caf\u00e9 ${GITHUB_TOKEN}`), '=?base64?', '?='),
  within('aws-secret-key', `${letters(38)}/+`, 'aws_secret_access_key = ', '\n[other]'),
  within('aws-secret-key', letters(40), '{\\"SecretAccessKey\\": \\"', '\\"}'),
  within('slack-webhook', `T00000000/B00000000/${letters(24)}`, 'https://hooks.slack.com/services/', ''),
  within('telegram-token', `AA${letters(33)}`, 'https://api.telegram.org/bot1234567890:', '/getMe'),
  within(
    'azure-key',
    `${letters(86)}==`,
    'DefaultEndpointsProtocol=https;AccountName=x;AccountKey=',
    ';EndpointSuffix=y',
  ),
  within('bearer-token', opaque, 'curl -H "Authorization: Bearer ', '" https://example.com'),
  within('bearer-token', 'abc123.def~+/=', 'bearer ', ', then'),
  within('bearer-token', opaque, 'authorization=Bearer%20', '&x=1'),
  within('basic-credentials', base64('user:pa55'), 'Authorization: Basic ', ''),
  within('basic-credentials', base64('\u00ff\u00fe'.repeat(6)), "'authorization': 'Basic ", "'"),
  within('authorization', opaque, 'Authorization: Token ', ' sent'),
  within('api-key', opaque, '-H "x-api-key: ', '"'),
  within('cookie', `sid=${letters(16)}; theme=dark`, 'Set-Cookie: ', '\r\nAge: 1'),
  within('url-password', 'hunter2', 'postgres://admin:', '@db.example.com:5432/app'),
  within('url-password', 'p@ss:word', 'redis://:', '@cache'),
  ...[
    'token',
    'access_token',
    'refresh_token',
    'id_token',
    'client_secret',
    'code_verifier',
    'assertion',
    'api_key',
  ].map((name) => within('query-value', 'short', `https://example.com/cb?x=1&${name}=`, '#top')),
  within('query-value', opaque, 'http://localhost:1234/callback?code=', ''),
  within('query-value', opaque, 'https://example.com/cb?iss=x&state=', '&y=2'),
  within('query-value', opaque, 'grant_type=refresh_token&refresh_token=', '&client_id=me'),
  within('query-value', opaque, 'refresh_token=', '&client_id=me'),
  within('query-value', opaque, 'INFO access_token=', ' expires_in=3600'),
  within('query-value', opaque, 'https://example.com/#access_token=', '&token_type=x'),
  within('query-value', hex(64), 'https://b.s3.amazonaws.com/k?X-Amz-Signature=', '&X-Amz-Expires=60'),
  within('query-value', `${letters(43)}%3D`, 'https://x.blob.core.windows.net/c?se=2026&sig=', ''),
];

function within(kind: string, secret: string, before: string, after: string): SampleSecret {
  return { kind, secret, text: before + secret + after };
}

/** Every kind of secret, in a text around it. */
export const SAMPLE_SECRETS: readonly SampleSecret[] = [
  ...alone.map(([kind, secret]) => ({ kind, secret, text: `before ${secret} after` })),
  ...alone.map(([kind, secret]) => ({ kind, secret, text: secret })),
  ...inContext,
];

/** Texts that look like a secret but contain none. */
export const NEAR_MISSES: readonly string[] = [
  `ghp_${letters(20)}`,
  'ghp_ is the prefix of a personal token',
  `xghp_${letters(36)}`,
  `AKIA${'IOSFODNN7EXAMPL'}`,
  `AKIA${'IOSFODNN7EXAMPLE'}9X`,
  `${letters(5)}AKIA${'IOSFODNN7EXAMPLE'}`,
  'task-list, risk-assessment-of-the-whole-project and disk-usage',
  `AIza${letters(34)}`,
  `npm_${letters(12)} npm_config_registry npm_lifecycle_event_name_that_is_very_long`,
  'npm_package_dependencies_something_or_other_thing',
  'hf_hub_download and hf_',
  `=?base64?${base64('caf\u00e9')}?= and =?base64?not so?=`,
  `${base64url('{"page":2,"size":50}')}.${base64url('{"a":1}')}.x`,
  base64url('{"cursor":12345,"offset":"abcdef"}'),
  'eyJ.eyJ.eyJ',
  'Bearer authentication is used. Bearer tokens are opaque; a bearer of news.',
  'WWW-Authenticate: Bearer realm="example", error="invalid_token", scope="a b"',
  'WWW-Authenticate: Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"',
  `headers: { Authorization: \`Bearer \${token}\`, 'x-api-key': process.env.API_KEY }`,
  'Authorization: Bearer <your token> or Bearer YOUR_API_KEY',
  'const authorization = req.headers.authorization ?? getAuthorizationHeader2(x)',
  'Basic authentication, basic support',
  'client = OpenAI(api_key=os.environ["OPENAI_API_KEY"], access_token=settings.access_token)',
  'https://api.github.com/repos/a/b/issues?state=open&per_page=100',
  'https://example.com/?code=404 and if (a&&token=b.token) x;state=n.state',
  'https://example.com/?token={token}&api_key=<key>&access_token=$TOKEN',
  'https://example.com:8080/path@version?x=a:b@c',
  'git+ssh://git@github.com:22/a/b.git and user:password in prose',
  `postgres://user:****@host/db and mongodb://\${USER}:\${PASSWORD}@host`,
  `Look for ${DASHES}BEGIN PRIVATE KEY${DASHES} and ${DASHES}END PRIVATE KEY${DASHES} in the file`,
  `${DASHES}BEGIN CERTIFICATE${DASHES}\n${letters(64)}\n${DASHES}END CERTIFICATE${DASHES}`,
  `${DASHES}BEGIN PUBLIC KEY${DASHES}\n${letters(64)}\n${DASHES}END PUBLIC KEY${DASHES}`,
  'Cookie: chocolate chip',
  `SK${hex(31)}g`,
  `sha256:${hex(64)} ${hex(40)} 550e8400-e29b-41d4-a716-446655440000`,
  'xoxo-hugs secret_key_base whsec_ dop_v1_ SG.x.y hvs. pypi-server',
  '12:AAAA 1234567:AAshort',
];
