import { ALPHANUMERIC, BASE64, BASE64URL, HEX, LOWER_DIGITS, RandomValues, UPPER_DIGITS, uuid } from './random-values.ts';
import type { PlantedSecret } from './secret-samples.ts';

/**
 * What tokens of services look like, as their documentation and public rule lists describe them. In braces is an alphabet
 * and a length: a alphanumeric, h hexadecimal, l lower case and digits, u upper case and digits, b base64, w base64url,
 * d digits, z letters; `{id}` is a UUID. The table is independent of the one that detects them.
 */
const SHAPES = `A3-{u6}-{u11}-{u5}-{u5}-{u5}
A3-{u6}-{u6}-{u5}-{u5}-{u5}-{u5}
ops_eyJ{a260}
p8e-{l32}
AGE-SECRET-KEY-1{u58}
LTAI{l20}
sk-ant-api03-{w93}AA
sk-ant-admin01-{w93}AA
AKCp{a69}
cmVmd{a59}
ATATT3{w186}
sc_{l12}.{l5}.acc-{l16}.{w60}
authress_{l12}.{l5}.acc_{l16}.{w60}
ext_{l12}.{l5}.acc-{l16}.{w60}
AKIA{u16}
ASIA{u16}
ABIA{u16}
ACCA{u16}
a1b8Q~{a34}
4b1d{a38}
CLOJARS_{l60}
v1.0-{h24}-{h146}
dapi{h32}
dapi{h32}-2
doo_v1_{h64}
dop_v1_{h64}
dor_v1_{h64}
dp.pt.{a43}
duffel_test_{w43}
duffel_live_{w43}
dt0c01.{a24}.{a64}
EZAK{a54}
EZTK{a54}
{d15}|{w27}
EAAM{a110}
EAAC{a110}
FLWSECK_TEST-{h12}
FLWPUBK_TEST-{h32}-X
FLWSECK_TEST-{h32}-X
fo1_{w43}
fm1a_{b120}
fm1r_{b120}
fm2_{b120}
fio-u-{w64}
AIza{w35}
ghu_{a36}
ghs_{a36}
ghp_{a36}
gho_{a36}
ghr_{a36}
github_pat_{a22}_{a59}
glcbt-{a5}_{w20}
gldt-{w20}
glffct-{w20}
glft-{w20}
glimt-{w25}
glagent-{w50}
gloas-{w64}
glpat-{w20}
glpat-{w27}.{l9}
glptt-{h40}
GR1348941{w20}
glrt-{w20}
glrt-t1_{w27}.{l9}
glsoat-{w20}
_gitlab_session={l32}
eyJrIjoi{a90}
glc_{b60}
glsa_{a32}_{h8}
pat.{w22}.{a24}.{a20}
sat.{w22}.{a24}.{a20}
{l14}.atlasv1.{w64}
HRKU-AA{w58}
hf_{z34}
api_org_{z34}
ico-{a32}
s-s4t2ud-{h64}
s-s4t2af-{h64}
lin_api_{a40}
{a6}_{a29}_mmk
https://acme.webhook.office.com/webhookb2/{id}@{id}/IncomingWebhook/{h32}/{id}
NRJS-{h19}
NRII-{w32}
NRAK-{u27}
ntn_{d11}{a35}
npm_{a36}
API-{u26}
sk-{a20}T3BlbkFJ{a20}
sk-proj-{w74}T3BlbkFJ{w74}
sk-svcacct-{w58}T3BlbkFJ{w58}
sha256~{w43}
pplx-{a48}
access-sandbox-{id}
access-production-{id}
pscale_tkn_{w43}
pscale_oauth_{w43}
pscale_pw_{w43}
PMAK-{h24}-{h34}
pnu_{a36}
pul-{h40}
pypi-AgEIcHlwaS5vcmc{w70}
rdme_{l70}
rubygems_{h48}
tk-us-{w48}
SG.{w66}
SG.{w22}.{w43}
xkeysib-{h64}-{a16}
sntrys_eyJpYXQiO{b40}LCJyZWdpb25fdXJs{b40}=_{b43}
sntryu_{h64}
sm_aat_{a16}
sm_pat_{a16}
sm_sat_{a16}
shippo_live_{h40}
shippo_test_{h40}
shpat_{h32}
shpca_{h32}
shppa_{h32}
shpss_{h32}
https://{h8}:{h8}@gems.contribsys.com/
BUNDLE_GEMS__CONTRIBSYS__COM={h8}:{h8}
xapp-1-{u11}-{d13}-{h64}
xoxb-{d12}-{d12}-{a24}
xoxe.xoxp-1-{u163}
xoxe-1-{u146}
xoxb-{d10}-{a24}
xoxo-{d11}-{d11}-{d11}-{h10}
xoxs-{d11}-{d11}-{d11}-{h10}
xoxa-2-{a40}
xoxr-{a40}
xoxp-{d12}-{d12}-{d12}-{a32}
https://hooks.slack.com/services/T{u8}/B{u10}/{a24}
sgp_{h16}_{h40}
sgp_local_{h40}
sgp_{h40}
EAAA{w60}
sq0atp-{w22}
sk_live_{a24}
rk_live_{a24}
sk_test_{a24}
rk_prod_{a24}
{d10}:A{w34}
SK{h32}
tfp_{w59}
hvb.{w138}
hvs.{w95}
s.{a24}
AQVN{w36}
eyJhbGciOiJIUzI1NiJ9.eyJ{w40}.{w43}
ya29.{w60}
GOCSPX-{w28}
dckr_pat_{w27}
figd_{w40}
sbp_{h40}
gsk_{a52}
xai-{a80}
tvly-{a32}
r8_{a37}
lsv2_pt_{h32}_{h10}
tskey-auth-{a12}-{a32}`.split('\n');

const ALPHABETS: Readonly<Record<string, string>> = {
  a: ALPHANUMERIC,
  h: HEX,
  l: LOWER_DIGITS,
  u: UPPER_DIGITS,
  b: BASE64,
  w: BASE64URL,
  d: '0123456789',
  z: ALPHANUMERIC.slice(0, 52),
};

/** Places where a bare token occurs. */
const PLACES: readonly ((token: string) => string)[] = [
  (token) => token,
  (token) => `Use ${token} for now.`,
  (token) => `https://example.com/files/my-${token}/raw`,
  (token) => `{"cursor": "${token}"}`,
  (token) => `const value = '${token}';`,
];

/** Each shape in several places. */
export function tokenSamples(seed: number): PlantedSecret[] {
  const random = new RandomValues(seed);
  return SHAPES.flatMap((shape) => {
    const isInContext = /:\/\/|^[A-Z_]+=|_session=|^\{d10\}|^\{d15\}|^\{h/.test(shape);
    return PLACES.slice(0, isInContext ? 2 : PLACES.length).map((place) => {
      const token = shape.replaceAll(/\{(?:id|([a-z])(\d+))\}/g, (_, alphabet?: string, length?: string) =>
        alphabet === undefined ? uuid(random) : random.of(ALPHABETS[alphabet] ?? '', Number(length)),
      );
      return { title: shape, text: place(token), secret: token };
    });
  });
}

/** Services whose tokens have no shape of their own: what names them, and what they look like. */
const NAMED = `adafruit {l32}
adobe {h32}
airtable {l17}
algolia {l32}
alibaba {l30}
asana {l32}
atlassian {l20}{h4}
beamer b_{w44}
bitbucket {w64}
bittrex {l32}
meraki {h40}
cloudflare {w40}
codecov {l32}
cohere {a40}
coinbase {w64}
confluent {l64}
contentful {w43}
datadog {l40}
discord {h64}
droneci {l32}
dropbox {l15}
etsy {l24}
facebook {h32}
fastly {w32}
finicity {h32}
finnhub {l20}
flickr {l32}
freshbooks {l64}
gitter {w40}
gocardless live_{w40}
heroku {id}
hubspot {id}
intercom {w60}
jfrog {l73}
kraken {b80}
kucoin {h24}
launchdarkly {w40}
linear {h32}
linkedin {l16}
lob live_{h35}
mailchimp {h32}-us12
mailgun key-{h32}
mapbox pk.{l60}.{l22}
mattermost {l26}
messagebird {l25}
netlify {w42}
new_relic {l64}
nytimes {w32}
okta 00{w40}
plaid {l30}
privateai {l32}
rapidapi {w50}
sendbird {h40}
sentry {h64}
snyk {id}
sonar {w40}
squarespace {id}
sumo {l64}
travis {l22}
twitch {l30}
twitter {l50}
twitter {d18}-{a30}
yandex YC{w38}
zendesk {l40}`.split('\n');

/** How people write such a token down. */
const NAMINGS: readonly ((service: string, token: string) => string)[] = [
  (service, token) => `${service.toUpperCase()}_API_KEY=${token}\n`,
  (service, token) => `${service}_token: "${token}"\n`,
  (service, token) => `const ${service}Secret = '${token}';\n`,
  (service, token) => `<${service}Token>\n    ${token}\n</${service}Token>`,
  (service, token) => `  "${service}Token" => '${token}'\n`,
  (service, token) => `{\n    "${service}_token": "${token}"\n}`,
  (service, token) => `${service}Token = ${token}\n`,
  (service, token) => `$${service}Token .= "${token}"\n`,
];

/** Each service in several namings. */
export function namedTokens(seed: number): PlantedSecret[] {
  const random = new RandomValues(seed);
  return NAMED.flatMap((row) => {
    const [service = '', shape = ''] = row.split(' ');
    return NAMINGS.map((naming) => {
      const token = shape.replaceAll(/\{(?:id|([a-z])(\d+))\}/g, (_, alphabet?: string, length?: string) =>
        alphabet === undefined ? uuid(random) : random.of(ALPHABETS[alphabet] ?? '', Number(length)),
      );
      return { title: row, text: naming(service, token), secret: token };
    });
  });
}
