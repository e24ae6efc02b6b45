import type { Detector } from './detector.ts';
import { decodeBase64, entropyOf, hasTokenHeader } from './plausibility.ts';

/** What may stand before a token whose own first characters are too common: no letter but those of escapes. */
const BEFORE = '[\t-`a-fmnrt{-\xbf]';
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const AUTHRESS =
  /(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][A-Za-z0-9-]{10,32}\.[\w+/=-]{30,120}/dy;

/** Detects secrets by their own shape, wherever they occur. */
export const TOKEN_SHAPES: readonly Detector[] = [
  shape(
    'aws-access-key-id',
    ['A[KSBC][IC]A', 'A3T[A-Z0-9]'],
    /A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9+=])/dy,
  ),
  {
    ...shape('aws-session-token', ['IQoJ', 'F[wQ]oG'], /(?:IQoJb3Jp|F[wQ]oGZXIv)[A-Za-z0-9/+=%]{80,}/dy),
    hint: /(?:IQoJb3Jp|F[wQ]oGZXIv)/y,
  },
  shape('github-token', ['gh[opusr]_'], /ghs_\d{1,20}_eyJ[\w-]+\.[\w-]+\.[\w-]+|gh[opusr]_[A-Za-z0-9]{36,}/dy),
  shape('github-token', ['b_pa'], /github_pat_[A-Za-z0-9_]{36,}/dy, 5),
  shape(
    'gitlab-token',
    ['gl[acdfioprs][abfgmopst]'],
    /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[A-Za-z0-9_=-]{20,}(?:\.[0-9a-z]{2}\.?[0-9a-z]{7,9})?/dy,
  ),
  shape('gitlab-token', ['GR13'], /GR1348941[\w-]{20,}/dy),
  shape('slack-token', ['xox[abceprs]'], /xox[abceprs](?:.xox[a-z])?-[A-Za-z0-9-]{10,}/dy),
  shape('slack-token', ['xoxo'], /xoxo-\d+-[A-Za-z0-9-]{10,}/dy),
  shape('slack-token', ['pp-[0-9]'], /xapp-\d-[A-Za-z0-9-]{10,}/dy, 2),
  {
    ...shape('slack-webhook', ['ks.s'], /(?<=hoo)ks\.slack\.com\/(?:services|workflows|triggers)\/([\w+/]{16,})/dy),
    hint: /ks\.slack\.com/y,
    anywhere: true,
  },
  {
    ...shape('discord-webhook', ['ooks'], /(?<=webh)ooks\/\d{10,25}\/([\w-]{50,})/dy),
    hint: /ooks\\*\/\d/y,
    anywhere: true,
  },
  {
    ...shape('teams-webhook', ['okb2'], /okb2\/([\w@-]{36,110}\/IncomingWebhook\/[\w-]{32,}(?:\/[\w-]{36,})?)/dy),
    hint: /okb2/y,
    anywhere: true,
  },
  shape('stripe-key', ['[sr]k_[ltp]'], /[sr]k_(?:live|test|prod)_[A-Za-z0-9]{10,}/dy),
  shape('elevenlabs-key', ['sk_[0-9a-f]'], /sk_[0-9a-f]{48}(?![A-Za-z0-9])/dy),
  { ...shape('webhook-secret', ['whse'], /whsec_[A-Za-z0-9+/=]{24,}/dy), hint: /whsec_[A-Za-z0-9+/=]/y },
  shape('anthropic-key', ['sk-a'], /sk-ant-[A-Za-z0-9_-]{20,}/dy),
  shape(
    'openai-key',
    ['sk-[A-Za-z0-9]'],
    /sk-(?:(?:proj|svcacct|admin|None|or-v1|lf)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{20}[A-Za-z0-9_-]*)/dy,
  ),
  shape('groq-key', ['gsk_'], /gsk_[A-Za-z0-9]{40,}/dy),
  shape('xai-key', ['xai-'], /xai-[A-Za-z0-9]{60,}/dy),
  shape('perplexity-key', ['pplx'], /pplx-[A-Za-z0-9]{40,}/dy),
  shape('tavily-key', ['tvly'], /tvly-[A-Za-z0-9-]{20,}/dy),
  shape('firecrawl-key', ['fc-[0-9a-f]'], /fc-[0-9a-f]{32}(?![0-9A-Za-z])/dy),
  shape('context7-key', ['ctx7'], new RegExp(`ctx7sk-${UUID}`, 'dy')),
  shape('e2b-key', ['e2b_'], /e2b_[0-9a-f]{40}/dy),
  shape('replicate-token', ['r8_[A-Za-z0-9]'], /r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])/dy),
  shape('langsmith-key', ['lsv2'], /lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}/dy),
  shape('apify-token', ['ify_'], /apify_api_[A-Za-z0-9]{30,}/dy, 2),
  shape('google-api-key', ['AIza'], /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/dy),
  shape('google-oauth-token', ['ya29'], /ya29\.[A-Za-z0-9_-]{20,}/dy),
  shape('google-oauth-secret', ['GOCS'], /GOCSPX-[A-Za-z0-9_-]{20,}/dy),
  {
    ...shape('google-refresh-token', ['1//0', '1\\/\\'], /(?<![A-Za-z0-9+/])1\/\/0[A-Za-z0-9_-]{30,}/dy),
    hint: /1\\*\/\\*\/0/y,
  },
  shape('npm-token', ['npm_'], /npm_[A-Za-z0-9]{36,}/dy),
  shape('hugging-face-token', ['hf_[A-Za-z0-9]'], /hf_[A-Za-z0-9]{30,}/dy),
  shape('hugging-face-token', ['_org'], /api_org_[A-Za-z0-9]{30,}/dy, 3),
  {
    ...shape(
      'jwt',
      ['eyJ[A-Za-z0-9]'],
      /eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+)?/dy,
    ),
    accepts: hasTokenHeader,
  },
  shape('grafana-token', ['eyJr'], /eyJrIjoi[A-Za-z0-9]{70,400}={0,3}/dy),
  shape('grafana-token', ['gl[sc][a_]', 'glc_'], /glsa_[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}|glc_[A-Za-z0-9+/]{32,}={0,3}/dy),
  {
    ...shape('encoded-jwt', ['ZXlK', 'V5S[j-n]', 'leU[op]'], /(?:ZXlK|V5S[j-n]|leU[op])[A-Za-z0-9+/_-]{80}/dy),
    hint: /(?:ZXlK|V5S[j-n]|leU[op])[\w+/\\-]{80}/y,
    anywhere: true,
    endOf: encodedTokenEnd,
  },
  {
    ...shape('encoded-private-key', ['LS0t'], /(?:LS0tLS1CRUdJTi|LS0tQkVHSU4g|LS0tLUJFR0lO)[A-Za-z0-9+/_-]{48}/dy),
    hint: /LS0t(?:LS1CRUdJTi|QkVHSU4g|LUJFR0lO)/y,
    anywhere: true,
    endOf: encodedKeyEnd,
  },
  shape('sendgrid-key', ['SG.[A-Za-z0-9_-]'], /SG\.(?:[\w=-]{16,32}\.[\w=-]{16,64}|[\w=.-]{66})/dy),
  shape('brevo-key', ['xkey', 'xsmt'], /x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}/dy),
  shape('twilio-key', [`${BEFORE}SK[0-9a-fA-F]`], /SK[0-9a-fA-F]{32}(?![A-Za-z0-9])/dy, -1),
  shape('digitalocean-token', ['do[opr]_', 'DO[OPR]_'], /do[opr]_v1_[a-f0-9]{64}/diy),
  shape('pypi-token', ['pypi'], /pypi-[A-Za-z0-9_-]{50,}/dy),
  shape('docker-token', ['dckr'], /dckr_[po]at_[A-Za-z0-9_-]{20,}/dy),
  shape('age-secret-key', ['AGE-'], /AGE-SECRET-KEY-1[0-9A-Z]{58}/dy),
  shape('linear-token', ['lin_'], /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/dy),
  shape('notion-token', ['ntn_'], /ntn_[A-Za-z0-9]{40,}/dy),
  shape('notion-token', ['secr'], /secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])/dy),
  shape('figma-token', ['figd'], /figd_[A-Za-z0-9_-]{30,}/dy),
  shape('supabase-token', ['sbp_'], /sbp_[a-f0-9]{40}/dy),
  shape('supabase-token', ['sb_s'], /sb_secret_[A-Za-z0-9_-]{20,}/dy),
  shape('vault-token', ['hv[sbr].'], /hv[sbr]\.[A-Za-z0-9_-]{24,}/dy),
  {
    ...shape('vault-token', [`${BEFORE}s.[A-Za-z0-9]`], /s\.[A-Za-z0-9]{24}(?![\w.-])/dy, -1),
    accepts: (secret) => /\d/.test(secret) && /[A-Z]/.test(secret) && entropyOf(secret) >= 3.5,
  },
  shape('terraform-token', ['.atl'], /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}/dy, 14),
  shape('databricks-token', ['dapi'], /dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])/dy),
  shape('shopify-token', ['shp[acps]'], /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/dy),
  shape('postman-key', ['PMAK'], /PMAK-[a-fA-F0-9]{24}-[a-fA-F0-9]{34}/dy),
  shape(
    '1password-key',
    ['A3-[A-Z0-9]'],
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/dy,
  ),
  shape('1password-token', ['ops_'], /ops_eyJ[A-Za-z0-9+/]{80,}={0,3}/dy),
  shape('adobe-secret', ['p8e-'], /p8e-[A-Za-z0-9]{32}/dy),
  shape('alibaba-access-key-id', ['LTAI'], /LTAI[A-Za-z0-9]{12,30}(?![A-Za-z0-9+=])/dy),
  shape('artifactory-key', ['AKCp'], /AKCp[A-Za-z0-9]{60,}/dy),
  shape('artifactory-key', ['cmVm'], /cmVmd[A-Za-z0-9]{59}(?![A-Za-z0-9+=])/dy),
  shape('atlassian-token', ['AT[AC]T'], /AT[AC]TT3[\w=-]{50,}/dy),
  shape('authress-key', ['sc_[A-Za-z0-9]', 'ext_', 'auth'], AUTHRESS),
  shape('authress-key', ['auth'], AUTHRESS, 2),
  {
    ...shape(
      'azure-client-secret',
      ['[0-9]Q~[A-Za-z0-9_~.-]'],
      /(?:(?<![\w~.])|(?<=%[0-9A-Fa-f]{2}))[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/dy,
      3,
    ),
    hint: /[\w~.]{3}\dQ~/y,
    anywhere: true,
  },
  shape('clickhouse-key', ['4b1d'], /4b1d(?=[0-9a-f]*[g-zG-ZA-F])[A-Za-z0-9]{38}(?![A-Za-z0-9])/dy),
  shape('clojars-token', ['CLOJ', 'cloj'], /clojars_[a-z0-9]{60}/diy),
  shape('cloudflare-key', ['v1.0'], /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/dy),
  shape('doppler-token', ['dp.[pscat]'], /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}/dy),
  shape('duffel-token', ['duff'], /duffel_(?:test|live)_[\w=-]{43}/dy),
  shape('dynatrace-token', ['dt0[cs]'], /dt0[cs]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/dy),
  shape('easypost-key', ['EZ[AT]K'], /EZ[AT]K[A-Za-z0-9]{54}/dy),
  // The part before the bar is the id of an app and not secret.
  {
    ...shape('facebook-token', ['[0-9][0-9]|[A-Za-z0-9_-]'], /(?<=(?<!\d)\d{13,14})\d\d\|([\w-]{27,40})(?![\w-])/dy),
    anywhere: true,
  },
  shape('facebook-token', ['EAA[MCB]'], /EAA[MCB][A-Za-z0-9]{100,}/dy),
  {
    ...shape('square-token', ['EAAA'], /(?<![+]|==)EAAA[\w-]{22,60}(?![\w+=-])/dy),
    // Base64 has slashes too, and paths have words between them.
    accepts: (secret, text, at) =>
      entropyOf(secret) >= 3.8 &&
      (text.charAt(at - 1) !== '/' ||
        /(?:^|[\s"'=(:])\/?(?:[a-z0-9._-]{0,32}\/){1,8}$/.test(text.slice(Math.max(0, at - 160), at))),
  },
  shape('square-token', ['sq0[aci]'], /sq0(?:atp|csp|idp)-[\w-]{22,60}/dy),
  shape('flutterwave-key', ['FLW[SP]'], /FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?/dy),
  shape('fly-token', ['fo1_', 'fm[12][ar_]'], /fo1_[\w-]{43}|fm(?:1[ar]|2)_[A-Za-z0-9+/]{100,}={0,3}/dy),
  shape('frameio-token', ['fio-'], /fio-u-[\w=-]{64}/dy),
  shape('harness-key', ['[ps]at.'], /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/dy),
  shape('heroku-key', ['HRKU'], /HRKU-AA[\w-]{50,}/dy),
  shape('hubspot-token', ['pat-'], new RegExp(`pat-(?:na|eu)\\d-${UUID}`, 'dy')),
  shape('infracost-token', ['ico-'], /ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])/dy),
  shape('intra42-secret', ['s4t2'], /s-s4t2(?:ud|af)-[0-9a-fA-F]{64}/dy, 2),
  shape(
    'lob-key',
    ['st_[0-9a-fp]', 've_[0-9a-fp]'],
    /(?:live|test)_(?:[0-9a-f]{35}|pub_[0-9a-f]{31})(?![A-Za-z0-9])/dy,
    2,
  ),
  shape('mailchimp-key', ['-us[0-9]'], /(?<![0-9a-f])[0-9a-f]{32}-us\d{1,2}(?!\w)/dy, 32),
  shape('mailgun-key', ['key-'], /key-[0-9a-f]{32}(?![A-Za-z0-9])/dy),
  shape('mapbox-token', ['[ps]k.[a-z0-9]'], /[ps]k\.(?:[a-z0-9]{60}\.[a-z0-9]{22}|eyJ[\w-]{40,}\.[\w-]{20,})/dy),
  shape('maxmind-key', ['_mmk'], /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk(?![A-Za-z0-9])/dy, 36),
  shape('netlify-token', ['nfp_'], /nfp_[A-Za-z0-9]{36,}/dy),
  shape('new-relic-key', ['NR[JIA][SIK]'], /NR(?:JS-[0-9a-fA-F]{19}|II-[\w-]{32}|AK-[A-Za-z0-9]{27})/dy),
  shape('octopus-key', ['API-'], /API-[A-Z0-9]{26}(?![A-Za-z0-9])/dy),
  shape('openshift-token', ['256~'], /sha256~[\w-]{43}/dy, 3),
  shape('plaid-token', ['ss-[sdp]'], new RegExp(`access-(?:sandbox|development|production)-${UUID}`, 'dy'), 4),
  shape('planetscale-token', ['psca'], /pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}/dy),
  shape('prefect-key', ['pn[ub]_'], /pn[ub]_[A-Za-z0-9]{36}/dy),
  shape('pulumi-token', ['pul-'], /pul-[0-9a-f]{40}/dy),
  shape('readme-token', ['rdme'], /rdme_[a-z0-9]{70}/dy),
  shape('render-key', ['rnd_'], /rnd_[A-Za-z0-9]{32}/dy),
  shape('rubygems-key', ['ems_'], /rubygems_[0-9a-f]{48}/dy, 5),
  shape('scalingo-token', ['tk-u'], /tk-us-[\w-]{48}/dy),
  shape('sentry-token', ['sntr'], /sntrys_eyJ[\w+/=-]{40,}|sntryu_[0-9a-f]{64}/dy),
  shape('settlemint-token', ['sm_[aps]'], /sm_[aps]at_[A-Za-z0-9]{16}/dy),
  shape('shippo-token', ['ppo_'], /shippo_(?:live|test)_[0-9a-fA-F]{40}/dy, 3),
  shape('sonar-token', ['sq[pua]_'], /sq[pua]_[0-9a-f]{40}/dy),
  shape('sourcegraph-token', ['sgp_'], /sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}/dy),
  shape('tailscale-key', ['tske'], /tskey-[a-z]{2,12}-[\w-]{20,}/dy),
  shape('typeform-token', ['tfp_'], /tfp_[\w.=-]{40,}/dy),
  shape('vercel-token', ['el_b'], /vercel_blob_rw_[A-Za-z0-9]{10,}_[A-Za-z0-9]{20,}/dy, 4),
  shape('yandex-token', ['t1.[A-Za-z0-9_-]'], /t1\.[\w-]{10,}={0,2}\.[\w-]{86}={0,2}(?![\w-])/dy),
  shape('yandex-key', ['AQVN'], /AQVN[\w-]{35,38}(?![\w-])/dy),
  shape('airtable-token', ['pat[A-Za-z0-9]'], /pat[A-Za-z0-9]{14}\.[0-9a-f]{64}/dy),
  shape('buildkite-token', ['bku[a-z]'], /bku[a-z]_[0-9a-f]{40}/dy),
  shape('contentful-token', ['CFPA'], /CFPAT-[\w-]{43}/dy),
  shape('defined-networking-key', ['dnke'], /dnkey-[\w=-]{26}-[\w=-]{52}/dy),
  shape('dropbox-token', ['sl.[A-Za-z0-9_-]'], /sl\.[\w=-]{130,}/dy),
  // The part before the colon is the bot's id and not secret.
  { ...shape('telegram-token', ['[0-9]:A[A-Za-z0-9_-]'], /(?<=\d{4})\d:(A[\w-]{34})(?![\w-])/dy), anywhere: true },
];

function shape(kind: string, anchors: readonly string[], pattern: RegExp, lead = 0): Detector {
  return { kind, anchors, pattern, lead };
}

const BASE64_RUN = /[A-Za-z0-9+/_-]*={0,2}/y;
/** A further line of base64, as programs wrap it. */
const BASE64_LINE =
  /(?:\r?\n|\\r|\\n){1,2}[ \t]{0,40}[A-Za-z0-9+/_-]{40,}={0,2}|(?:\r?\n|\\n)[ \t]{0,40}[A-Za-z0-9+/_-]{1,76}={0,2}(?=\s|["'\\]|$)/y;

/** The end of a private key in base64, of whose digits some end at `matchEnd`. It may be wrapped into lines. */
function encodedKeyEnd(text: string, matchEnd: number): number | undefined {
  const digits = text.slice(matchEnd - 60, matchEnd);
  const isKey = [0, 1, 2, 3].some((from) => {
    const length = (digits.length - from) & ~3;
    return /PRIVATE KEY/.test(decodeBase64(digits.slice(from, from + length)) ?? '');
  });
  if (!isKey) return undefined;
  BASE64_RUN.lastIndex = matchEnd;
  let end = BASE64_RUN.test(text) ? BASE64_RUN.lastIndex : matchEnd;
  BASE64_LINE.lastIndex = end;
  while (BASE64_LINE.test(text)) end = BASE64_LINE.lastIndex;
  return end;
}

/** The end of a JSON Web Token in base64, of which 84 digits end at `matchEnd`, at any of the three alignments. */
function encodedTokenEnd(text: string, matchEnd: number): number | undefined {
  const digits = text.slice(matchEnd - 84, matchEnd);
  const [missing, from] = digits.startsWith('Z') ? ['', 0] : digits.startsWith('V') ? ['ey', 2] : ['e', 1];
  const token = missing + (decodeBase64(digits.slice(from, from + 80)) ?? '');
  if (!/^\{\s*"\w+"\s*:/.test(decodeBase64(token.slice(0, 24)) ?? '')) return undefined;
  BASE64_RUN.lastIndex = matchEnd;
  return BASE64_RUN.test(text) ? BASE64_RUN.lastIndex : matchEnd;
}
