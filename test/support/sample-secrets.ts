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
/** Its length leaves the last byte alone in a base64 group. */
export const SERVICE_ACCOUNT_TOKEN: string = `ops_${base64(`{"email":"a@example.com","secretKey":"${letters(99)}"}`)}`;
const TEAMS_ID = '4f2d5f4c-7b8a-4e1c-9d3a-0123456789ab';
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
  ['1password-key', `A3-${'ABCDE1'}-${'ABCDEF12345'}-${'ABC12'}-${'DEF34'}-${'GHI56'}`],
  ['1password-token', SERVICE_ACCOUNT_TOKEN],
  ['adobe-secret', `p8e-${letters(32)}`],
  ['airtable-token', `pat${letters(14)}.${hex(64)}`],
  ['alibaba-access-key-id', `LTAI${letters(20)}`],
  ['apify-token', `apify_api_${letters(36)}`],
  ['artifactory-key', `AKCp${letters(69)}`],
  ['atlassian-token', `ATATT3${letters(186)}`],
  ['authress-key', `sc_${letters(10)}.${letters(4)}.acc-${letters(12)}.${letters(40)}`],
  ['azure-client-secret', `a1b8Q~${letters(34)}`],
  ['brevo-key', `xkeysib-${hex(64)}-${letters(16)}`],
  ['buildkite-token', `bkua_${hex(40)}`],
  ['clickhouse-key', `4b1d${letters(38)}`],
  ['clojars-token', `CLOJARS_${hex(60)}`],
  ['cloudflare-key', `v1.0-${hex(24)}-${hex(146)}`],
  ['contentful-token', `CFPAT-${letters(43)}`],
  ['context7-key', `ctx7sk-${TEAMS_ID}`],
  ['defined-networking-key', `dnkey-${letters(26)}-${letters(52)}`],
  ['doppler-token', `dp.pt.${letters(43)}`],
  ['dropbox-token', `sl.${letters(135)}`],
  ['duffel-token', `duffel_test_${letters(43)}`],
  ['dynatrace-token', `dt0c01.${letters(24)}.${letters(64)}`],
  ['e2b-key', `e2b_${hex(40)}`],
  ['easypost-key', `EZAK${letters(54)}`],
  ['elevenlabs-key', `sk_${hex(48)}`],
  ['encoded-jwt', base64(JWT)],
  ['encoded-private-key', base64(PEM)],
  ['facebook-token', `EAAM${letters(110)}`],
  ['firecrawl-key', `fc-${hex(32)}`],
  ['flutterwave-key', `FLWSECK_TEST-${hex(32)}-X`],
  ['fly-token', `fo1_${letters(43)}`],
  ['frameio-token', `fio-u-${letters(64)}`],
  ['grafana-token', `glc_${letters(40)}`],
  ['harness-key', `pat.${letters(22)}.${letters(24)}.${letters(20)}`],
  ['heroku-key', `HRKU-AA${letters(58)}`],
  ['hubspot-token', `pat-na1-${TEAMS_ID}`],
  ['infracost-token', `ico-${letters(32)}`],
  ['intra42-secret', `s-s4t2ud-${hex(64)}`],
  ['langsmith-key', `lsv2_pt_${hex(32)}_${hex(10)}`],
  ['lob-key', `live_${hex(35)}`],
  ['mailchimp-key', `${hex(32)}-us12`],
  ['mailgun-key', `key-${hex(32)}`],
  ['mapbox-token', `pk.${hex(60)}.${hex(22)}`],
  ['maxmind-key', `${letters(6)}_${letters(29)}_mmk`],
  ['netlify-token', `nfp_${letters(36)}`],
  ['new-relic-key', `NRAK-${letters(27)}`],
  ['octopus-key', `API-${letters(26).toUpperCase()}`],
  ['openshift-token', `sha256~${letters(43)}`],
  ['plaid-token', `access-sandbox-${TEAMS_ID}`],
  ['planetscale-token', `pscale_tkn_${letters(43)}`],
  ['prefect-key', `pnu_${letters(36)}`],
  ['pulumi-token', `pul-${hex(40)}`],
  ['readme-token', `rdme_${hex(70)}`],
  ['render-key', `rnd_${letters(32)}`],
  ['replicate-token', `r8_${letters(37)}`],
  ['rubygems-key', `rubygems_${hex(48)}`],
  ['scalingo-token', `tk-us-${letters(48)}`],
  ['sentry-token', `sntryu_${hex(64)}`],
  ['settlemint-token', `sm_aat_${letters(16)}`],
  ['shippo-token', `shippo_live_${hex(40)}`],
  ['sonar-token', `sqp_${hex(40)}`],
  ['sourcegraph-token', `sgp_${hex(40)}`],
  ['square-token', `EAAA${letters(60)}`],
  ['square-token', `sq0atp-${letters(22)}`],
  ['tailscale-key', `tskey-auth-${letters(24)}`],
  ['tavily-key', `tvly-${letters(32)}`],
  ['terraform-token', `${letters(14)}.atlasv1.${letters(64)}`],
  ['typeform-token', `tfp_${letters(59)}`],
  ['vault-token', `s.${letters(24)}`],
  ['yandex-key', `AQVN${letters(36)}`],
  ['yandex-token', `t1.${letters(50)}.${letters(86)}`],
  ['vercel-token', `vercel_blob_rw_${letters(16)}_${letters(30)}`],
  ['private-key', PEM],
  ['private-key', PEM.replaceAll('RSA PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')],
  ['private-key', PEM.replaceAll('RSA PRIVATE', 'OPENSSH PRIVATE')],
  // Truncated, with escaped line breaks, as in a log.
  ['private-key', PEM_LINES.slice(0, 3).join('\\n')],
];

const opaque = letters(32);
const inContext: readonly SampleSecret[] = [
  within('encoded-secret', base64(`caf\u00e9 ${GITHUB_TOKEN}`), '=?base64?', '?='),
  within('aws-secret-access-key', `${letters(38)}/+`, 'aws_secret_access_key = ', '\n[other]'),
  within('secret-access-key', letters(40), '{\\"SecretAccessKey\\": \\"', '\\"}'),
  within('slack-webhook', `T00000000/B00000000/${letters(24)}`, 'https://hooks.slack.com/services/', ''),
  within('discord-webhook', letters(68), 'https://discord.com/api/webhooks/123456789012345678/', ''),
  within(
    'teams-webhook',
    `${TEAMS_ID}@${TEAMS_ID}/IncomingWebhook/${hex(32)}/${TEAMS_ID}`,
    'https://x.webhook.office.com/webhookb2/',
    '',
  ),
  within('facebook-token', letters(27), `see ${'1234567890123456'}|`, ' there'),
  within('facebook-token', letters(27), `${'123456789012345'}|`, ''),
  within('telegram-token', `AA${letters(33)}`, 'https://api.telegram.org/bot1234567890:', '/getMe'),
  within(
    'account-key',
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
  within('x-api-key', opaque, '-H "x-api-key: ', '"'),
  within('cookie', letters(16), 'Set-Cookie: sid=', '; Path=/; HttpOnly\r\nAge: 1'),
  within('url-password', 'hunter2', 'postgres://admin:', '@db.example.com:5432/app'),
  within('url-password', 'p@ss:word', 'redis://:', '@cache'),
  within('url-user', hex(32), 'https://', '@o1.ingest.example.com/42'),
  ...[
    'token',
    'access_token',
    'refresh_token',
    'id_token',
    'client_secret',
    'code_verifier',
    'assertion',
    'api_key',
  ].map((name) => within(name.replace('_', '-'), opaque, `https://example.com/cb?x=1&${name}=`, '#top')),
  within('query-value', opaque, 'http://localhost:1234/callback?code=', ''),
  within('query-value', opaque, 'https://example.com/cb?iss=x&state=', '&y=2'),
  within('refresh-token', opaque, 'grant_type=refresh_token&refresh_token=', '&client_id=me'),
  within('refresh-token', opaque, 'refresh_token=', '&client_id=me'),
  within('access-token', opaque, 'INFO access_token=', ' expires_in=3600'),
  within('access-token', opaque, 'https://example.com/#access_token=', '&token_type=x'),
  within('query-value', hex(64), 'https://b.s3.amazonaws.com/k?X-Amz-Signature=', '&X-Amz-Expires=60'),
  within('query-value', `${letters(43)}%3D`, 'https://x.blob.core.windows.net/c?se=2026&sig=', ''),
  within('command-password', 'hunter2hunter2', 'mysql -h db -u root -p', ' app'),
  within('sql-password', 'hunter2hunter2', "ALTER USER me IDENTIFIED BY '", "';"),
  within('basic-auth', 'hunter2hunter2', "requests.get(url, auth=('me', '", "'))"),
  within('netrc-password', 'hunter2hunter2', 'machine a.example login me password ', '\n'),
  within('pgpass-password', 'hunter2hunter2', 'db.example.com:5432:app:me:', '\n'),
  within('secure-string', 'hunter2hunter2', 'ConvertTo-SecureString "', '" -AsPlainText'),
  within('bundle-credentials', `${hex(8)}:${hex(8)}`, 'BUNDLE_GEMS__CONTRIBSYS__COM: "', '"'),
  within('header-value', hex(32), 'request.setValue("', '", forHTTPHeaderField: "X-Api-Key")'),
  within('stored-value', hex(32), 'UserDefaults.standard.set("', '", forKey: "apiToken")'),
  within('database-password', 'hunter2hunter2', 'sql.Open("mysql", "app:', '@tcp(db:3306)/app")'),
  within('session-cookie', hex(32), 'curl --cookie "_gitlab_session=', '"'),
  within('kubernetes-secret', base64('hunter2'), 'kind: Secret\ndata:\n  app: ', '\n'),
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
  `${'a1-'.repeat(20)}ghp_${letters(36)}`,
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
  '?state=open&code=404',
  'http://user:[REDACTED]@host and --token [REDACTED] and password=***',
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
