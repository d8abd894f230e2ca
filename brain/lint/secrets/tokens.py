r"""Tokens that their issuer made recognisable: one row a kind.

Prefixes are cut in two so that this file passes a secret scan itself. Edges are explicit: ``\b`` counts kana and kanji
as letters and would miss a token beside them.
"""

from __future__ import annotations

import re

from brain.lint.pattern import Pattern
from brain.lint.secrets.shapes import PLACEHOLDER, is_counting, residue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Row: TypeAlias = tuple[str, Pattern]

LEAST_RESIDUE = 0.3

_U = r"[A-Za-z0-9_-]"  # base64url
_W = r"[A-Za-z0-9]"
_H = r"[0-9a-f]"
_UUID = rf"{_H}{{8}}-(?:{_H}{{4}}-){{3}}{_H}{{12}}"


def _row(name: str, prefix: str, rest: str, *more: str) -> tuple[str, Pattern]:
    """Return a kind: its name, a literal prefix, and what follows it. A long prefix with a sign may hang on a word."""
    edge = "" if len(prefix) > 4 and not prefix[-1].isalnum() else r"(?<![A-Za-z0-9])"
    return name, Pattern(rf"{edge}{re.escape(prefix)}{rest}", prefix, *more)


TOKENS: tuple[tuple[str, Pattern], ...] = (
    # clouds
    ("AWS access key id", Pattern(r"(?<![A-Za-z0-9])(?:AK" + r"IA|AS" + r"IA|AB" + r"IA|AC" + r"CA)[A-Z2-7]{16}(?![A-Za-z0-9])", "AK" + "IA", "AS" + "IA", "AB" + "IA", "AC" + "CA")),
    _row("Google API key", "AI" + "za", rf"{_U}{{35}}"),
    _row("Google OAuth secret", "GOC" + "SPX-", rf"{_U}{{28}}"),
    _row("Google OAuth token", "ya" + "29.", rf"{_U}{{30,}}"), _row("Google refresh token", "1/" + "/0", rf"[a-z]{_U}{{40,}}"), _row("Google API key", "AQ" + ".", rf"[A-Z][a-z][0-9]{_U}{{40,}}"),
    ("Azure client secret", Pattern(r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,37}", "Q~")),
    ("Azure storage key", Pattern(r"(?:Account|SharedAccess)Key\s{0,3}=\s{0,3}[A-Za-z0-9+/]{40,100}={0,2}", "Account" + "Key", "SharedAccess" + "Key")),
    _row("Tencent secret id", "AK" + "ID", rf"{_W}{{32}}(?![A-Za-z0-9])"), _row("E2B key", "e2" + "b_", rf"{_H}{{40}}"),
    _row("Alibaba access key", "LT" + "AI", rf"{_W}{{16,24}}(?![A-Za-z0-9])"),
    _row("DigitalOcean token", "do" + "p_v1_", rf"{_H}{{64}}"), _row("DigitalOcean token", "do" + "o_v1_", rf"{_H}{{64}}"), _row("DigitalOcean token", "do" + "r_v1_", rf"{_H}{{64}}"),
    _row("AWS session token", "IQoJ" + "b3JpZ2lu", r"[A-Za-z0-9+/=]{100,}"), _row("AWS Bedrock key", "AB" + "SK", r"[A-Za-z0-9+/]{60,}={0,2}"),
    ("Azure DevOps token", Pattern(rf"(?<![A-Za-z0-9]){_W}{{76}}AZ" + rf"DO{_W}{{4}}(?![A-Za-z0-9])", "AZ" + "DO")),
    # GitLab: every prefix of its token overview, plain, routable and versioned
    ("GitLab token", Pattern(rf"gl(?:pat|rt|rtr|dt|ft|oas|ptt|imt|agent|soat|cbt|ffct|wt|dtk)-{_U}{{18,300}}(?:\.[A-Za-z0-9]{{2}}\.?[A-Za-z0-9]{{7,9}})?", "gl" + "pat-", "gl" + "rt-", "gl" + "rtr-", "gl" + "dt-", "gl" + "ft-", "gl" + "oas-", "gl" + "ptt-", "gl" + "imt-", "gl" + "agent-", "gl" + "soat-", "gl" + "cbt-", "gl" + "ffct-", "gl" + "wt-")),
    _row("GitLab runner token", "GR13" + "48941", rf"{_U}{{20}}"), _row("GitLab session", "_gitlab_" + "session=", rf"{_H}{{32}}"),
    # GitHub, Bitbucket, Atlassian
    ("GitHub token", Pattern(rf"gh[pousr]_{_W}{{36,255}}", *(f"gh{kind}_" for kind in "pousr"))),
    _row("GitHub token", "github" + "_pat_", r"[A-Za-z0-9_]{60,255}"),
    _row("Bitbucket token", "AT" + "BB", rf"{_W}{{24,}}"), _row("Bitbucket token", "AT" + "CTT3xFfGN0", r"[A-Za-z0-9_=-]{50,}"), _row("Atlassian token", "AT" + "ATT3", r"[A-Za-z0-9_=-]{50,}"),
    # chat
    ("Slack token", Pattern(r"(?<![A-Za-z0-9])xox[a-z][.-][A-Za-z0-9.%-]{20,}", "xo" + "x")),
    _row("Slack app token", "xa" + "pp-", r"[0-9]-[A-Za-z0-9-]{40,}"),
    ("Slack webhook", Pattern(r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{30,}", "hooks." + "slack.com/")),
    ("Discord webhook", Pattern(r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?web" + rf"hooks/[0-9]{{15,22}}/{_U}{{50,}}", "/web" + "hooks/")),
    ("Discord bot token", Pattern(rf"(?<![A-Za-z0-9_-])[MNO]{_W}{{23,27}}\.{_U}{{6}}\.{_U}{{27,45}}(?![A-Za-z0-9_-])", ".")),
    ("Telegram bot token", Pattern(rf"(?<![0-9])[0-9]{{8,10}}:AA{_U}{{33}}(?![A-Za-z0-9_-])", ":AA")),
    ("Teams webhook", Pattern(r"webhook\.office\.com/webhookb2/[0-9a-f@/A-Za-z-]{60,}", "webhook." + "office.com")),
    ("workflow webhook", Pattern(rf"logic\.azure\.com[^\s\"'`]{{10,400}}sig={_U}{{30,}}", "logic." + "azure.com")),
    _row("Google Chat webhook", "chat.googleapis.com/v1/" + "spaces/", r"[^\s\"'`]{10,60}key=[^\s\"'`]{30,}"),
    ("LINE channel token", Pattern(r"[A-Za-z0-9+/]{60,200}dB04t89/1O/w1cDn" + r"yilFU=", "w1cDn" + "yilFU=")),
    # payment
    ("Stripe key", Pattern(rf"(?<![A-Za-z0-9])(?:sk|rk)_(?:live|test|prod)_{_W}{{16,}}", "k_" + "live_", "k_" + "test_", "k_" + "prod_")),
    _row("webhook signing secret", "wh" + "sec_", r"[A-Za-z0-9+/=]{24,}"), _row("Square token", "sq0" + "atp-", rf"{_U}{{22}}"), _row("Square secret", "sq0" + "csp-", rf"{_U}{{43}}"),
    _row("Square token", "EA" + "AA", rf"{_U}{{60}}"), _row("PayPal token", "access_" + "token$production$", rf"{_W}{{16}}\${_H}{{32}}"),
    _row("Flutterwave key", "FLW" + "SECK", r"[_-][A-Za-z0-9_-]{12,}"), _row("EasyPost key", "EZ" + "AK", rf"{_W}{{54}}"), _row("Shippo key", "shippo_" + "live_", rf"{_H}{{40}}"),
    # mail and messages
    ("Twilio key", Pattern(rf"(?<![A-Za-z0-9])SK{_H}{{32}}(?![A-Za-z0-9])", "S" + "K")),
    ("Twilio account and token", Pattern(rf"(?<![A-Za-z0-9])AC{_H}{{32}}[^A-Za-z0-9].{{0,60}}?(?<![A-Za-z0-9]){_H}{{32}}(?![A-Za-z0-9])", "A" + "C")),
    _row("SendGrid key", "S" + "G.", rf"{_U}{{20,24}}\.{_U}{{40,45}}"), _row("Mailgun key", "key" + "-", rf"{_H}{{32}}(?![A-Za-z0-9])"),
    ("Mailchimp key", Pattern(rf"(?<![A-Za-z0-9]){_H}{{32}}-us[0-9]{{1,2}}(?![A-Za-z0-9])", "-us")),
    _row("Brevo key", "xkey" + "sib-", rf"{_H}{{64}}-{_W}{{16}}"), _row("Postmark or Resend key", "re" + "_", rf"(?=[A-Za-z0-9_]{{0,30}}[0-9])(?=[A-Za-z0-9_]{{0,30}}[A-Z])[A-Za-z0-9]{{8}}_{_W}{{24}}(?![A-Za-z0-9_])"),
    # packages and images
    _row("npm token", "np" + "m_", rf"{_W}{{36}}(?![A-Za-z0-9])"), _row("PyPI token", "py" + "pi-", rf"{_U}{{50,}}"), _row("RubyGems key", "ruby" + "gems_", rf"{_H}{{48}}"),
    _row("Docker token", "dckr" + "_pat_", rf"{_U}{{24,}}"), _row("Docker token", "dckr" + "_oat_", rf"{_U}{{24,}}"), _row("NuGet key", "oy" + "2", r"[a-z0-9]{43}(?![A-Za-z0-9])"),
    _row("Clojars token", "CLO" + "JARS_", r"[a-z0-9]{60}"), _row("Artifactory token", "AK" + "Cp", rf"{_W}{{60,}}"), _row("Artifactory token", "cmVm" + "dGtu", rf"{_W}{{40,}}"), _row("crates.io token", "ci" + "o", rf"{_W}{{32}}(?![A-Za-z0-9])"),
    # models
    _row("Anthropic key", "sk" + "-ant-", rf"{_U}{{30,}}"), _row("OpenAI key", "sk" + "-proj-", rf"{_U}{{30,}}"), _row("OpenAI key", "sk" + "-svcacct-", rf"{_U}{{30,}}"), _row("OpenAI key", "sk" + "-admin-", rf"{_U}{{30,}}"),
    ("OpenAI key", Pattern(rf"(?<![A-Za-z0-9])sk-{_U}{{16,80}}T3Blbk" + rf"FJ{_U}{{16,80}}", "T3Blbk" + "FJ")), _row("OpenRouter key", "sk" + "-or-v1-", rf"{_H}{{64}}"),
    ("API key", Pattern(rf"(?<![A-Za-z0-9])sk-(?=[A-Za-z]{{0,40}}[0-9])(?=[0-9a-z]{{0,40}}[A-Z]|{_H}{{32}}(?![A-Za-z0-9])){_W}{{32,80}}(?![A-Za-z0-9])", "sk" + "-")),
    _row("Hugging Face token", "h" + "f_", rf"{_W}{{30,40}}(?![A-Za-z0-9])"), _row("Replicate token", "r" + "8_", rf"{_W}{{37}}"), _row("Groq key", "gs" + "k_", rf"{_W}{{48,60}}"), _row("xAI key", "xa" + "i-", rf"{_W}{{60,90}}"),
    _row("Perplexity key", "ppl" + "x-", rf"{_W}{{40,60}}"), _row("LangSmith key", "lsv" + "2_", rf"(?:pt|sk)_{_H}{{32}}_{_H}{{10}}"), _row("Tavily key", "tv" + "ly-", rf"{_U}{{28,}}"),
    _row("Langfuse key", "sk" + "-lf-", _UUID), _row("Firecrawl key", "fc" + "-", rf"{_H}{{32}}(?![A-Za-z0-9])"), _row("NVIDIA key", "nv" + "api-", rf"{_U}{{60,}}"), _row("Cerebras key", "cs" + "k-", r"[a-z0-9]{48}(?![A-Za-z0-9])"),
    _row("Pinecone key", "pc" + "sk_", r"[A-Za-z0-9_]{60,}"), _row("Jina key", "ji" + "na_", rf"{_W}{{50,}}"), _row("Cursor key", "cr" + "sr_", rf"{_H}{{64}}"),
    # operations
    _row("Vault token", "hv" + "s.", rf"{_U}{{24,}}"), _row("Vault token", "hv" + "b.", rf"{_U}{{24,}}"), _row("Vault token", "hv" + "r.", rf"{_U}{{24,}}"),
    ("Terraform token", Pattern(rf"(?<![A-Za-z0-9]){_W}{{14}}\.atlas" + rf"v1\.{_U}{{60,70}}", ".atlas" + "v1.")),
    _row("Grafana token", "gl" + "sa_", rf"{_W}{{32}}_{_H}{{8}}"), _row("Grafana token", "gl" + "c_", r"[A-Za-z0-9+/=]{32,}"), _row("Grafana key", "eyJr" + "Ijoi", r"[A-Za-z0-9+/=]{60,}"),
    ("Databricks token", Pattern(r"(?<![A-Za-z0-9])(?:da" + rf"pi|dkea|dose){_H}{{32}}(?:-[0-9])?(?![A-Za-z0-9])", "da" + "pi", "dkea", "dose")),
    _row("New Relic key", "NR" + "AK-", r"[A-Z0-9]{27}"), _row("New Relic key", "NRII" + "-", rf"{_U}{{32}}"), _row("Sentry token", "sntr" + "ys_", r"[A-Za-z0-9+/=_-]{40,}"), _row("Sentry token", "sntr" + "yu_", rf"{_H}{{64}}"),
    _row("Dynatrace token", "dt0" + "c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"), _row("Honeycomb key", "hca" + "ik_", rf"{_W}{{58}}"), _row("PagerDuty key", "pd" + "us+", rf"{_U}{{20,}}"),
    _row("Pulumi token", "pu" + "l-", rf"{_H}{{40}}"), _row("Doppler token", "dp" + ".pt.", rf"{_W}{{43}}"), _row("Doppler token", "dp" + ".st.", r"[A-Za-z0-9_.-]{40,}"), _row("Fly token", "fo1" + "_", rf"{_U}{{43}}"), _row("Fly token", "Fly" + "V1 ", r"[A-Za-z0-9+/=,_-]{60,}"),
    _row("Heroku key", "HR" + "KU-", rf"{_U}{{36,}}"), _row("Netlify token", "nf" + "p_", rf"{_W}{{36}}"), _row("Supabase token", "sb" + "p_", rf"{_H}{{40}}"), _row("Supabase secret", "sb_" + "secret_", rf"{_U}{{20,}}"),
    ("PlanetScale secret", Pattern(r"(?<![A-Za-z0-9])pscale_(?:tkn|pw|oauth)_[A-Za-z0-9=._-]{32,64}", "pscale" + "_")), _row("Prefect key", "pn" + "u_", rf"{_W}{{36}}"), _row("CircleCI token", "CCI" + "PAT_", rf"{_W}{{20,24}}_{_H}{{40}}"),
    _row("Buildkite token", "bk" + "ua_", rf"{_H}{{40}}"), _row("Tailscale key", "ts" + "key-", r"[A-Za-z]{3,10}-[A-Za-z0-9-]{20,}"), _row("SonarQube token", "sq" + "p_", rf"{_H}{{40}}"), _row("SonarQube token", "sq" + "u_", rf"{_H}{{40}}"), _row("SonarQube token", "sq" + "a_", rf"{_H}{{40}}"),
    _row("Octopus key", "API" + "-", r"[A-Z0-9]{26,32}(?![A-Za-z0-9])"), _row("Harness token", "pat" + ".", rf"{_U}{{22}}\.{_H}{{24}}\.{_W}{{20}}"), _row("Aiven token", "AV" + "NS_", rf"{_U}{{19}}"), _row("Scalingo token", "tk-" + "us-", rf"{_U}{{48}}"),
    _row("LaunchDarkly key", "sdk" + "-", rf"{_H}{{8}}-{_H}{{4}}-{_H}{{4}}-{_H}{{4}}-{_H}{{12}}"), _row("1Password token", "ops_" + "eyJ", r"[A-Za-z0-9+/=_-]{100,}"), _row("Cloudflare key", "v1" + ".0-", rf"{_H}{{24}}-{_H}{{100,}}"),
    _row("Render key", "rn" + "d_", rf"{_W}{{28,}}(?![A-Za-z0-9])"), _row("Neon key", "na" + "pi_", rf"{_W}{{60,}}"), _row("Deno token", "dd" + "p_", rf"{_W}{{36}}(?![A-Za-z0-9])"), _row("Vercel token", "vc" + "p_", rf"{_W}{{40,}}"),
    _row("Sourcegraph token", "sg" + "p_", rf"(?:(?:{_H}{{16}}|local)_)?{_H}{{40}}"), _row("Vault token", "s" + ".", rf"(?=[A-Za-z]{{0,23}}[0-9])(?=[a-z0-9]{{0,23}}[A-Z]){_W}{{24}}(?![A-Za-z0-9])"),
    # applications
    ("Shopify token", Pattern(rf"(?<![A-Za-z0-9])shp(?:at|ca|pa|ss|tka)_{_H}{{32}}", *(f"shp{kind}_" for kind in ("at", "ca", "pa", "ss", "tka")))),
    _row("Notion token", "nt" + "n_", rf"{_W}{{40,}}"), _row("Notion token", "secret" + "_", rf"(?=[A-Za-z]{{0,42}}[0-9])(?=[a-z0-9]{{0,42}}[A-Z]){_W}{{43}}(?![A-Za-z0-9])"), _row("Figma token", "fig" + "d_", rf"{_U}{{38,}}"), _row("Linear key", "lin" + "_api_", rf"{_W}{{36,}}"), _row("Linear token", "lin" + "_oauth_", rf"{_H}{{60,}}"),
    _row("Airtable token", "pat" + "", rf"{_W}{{14}}\.{_H}{{64}}"), _row("Postman key", "PM" + "AK-", rf"{_H}{{24}}-{_H}{{34}}"), _row("Dropbox token", "sl" + ".", rf"{_U}{{80,}}"), _row("Typeform token", "tf" + "p_", r"[A-Za-z0-9_.=-]{56,62}"),
    _row("ReadMe key", "rd" + "me_", r"[a-z0-9]{60,}"), _row("Contentful token", "CF" + "PAT-", rf"{_U}{{43}}"), _row("Frame.io token", "fi" + "o-u-", r"[A-Za-z0-9_=-]{60,}"), _row("Duffel token", "duff" + "el_", r"(?:test|live)_[A-Za-z0-9_=-]{40,}"), _row("Adafruit key", "ai" + "o_", rf"{_W}{{28}}"),
    ("Asana token", Pattern(rf"(?<![A-Za-z0-9_/.])[12]/[0-9]{{15,17}}(?:/[0-9]{{15,17}})?:{_H}{{32}}(?![A-Za-z0-9])", "1/", "2/")), ("Plaid token", Pattern(rf"(?<![A-Za-z0-9])access-(?:production|sandbox|development)-{_UUID}", "-production-", "-sandbox-", "-development-")),
    ("WooCommerce key", Pattern(rf"(?<![A-Za-z0-9])c[ks]_{_H}{{40}}(?![A-Za-z0-9])", "ck_", "cs_")), ("ClickUp token", Pattern(r"(?<![A-Za-z0-9])pk_[0-9]{7,9}_[A-Z0-9]{32}(?![A-Za-z0-9])", "pk_")), _row("Trello token", "AT" + "TA", rf"{_H}{{64}}"),
    _row("PostHog key", "ph" + "x_", rf"{_W}{{40,}}"), _row("SmartHR token", "sh" + "r_", rf"{_W}{{36,}}"), _row("Twitter token", "A" * 19, r"[A-Za-z0-9%]{60,}"),
    ("HubSpot token", Pattern(rf"(?<![A-Za-z0-9])pat-(?:na|eu|ap)[0-9]-{_H}{{8}}-(?:{_H}{{4}}-){{3}}{_H}{{12}}", "pat" + "-na", "pat" + "-eu", "pat" + "-ap")), _row("Mapbox secret", "sk" + ".eyJ", r"[A-Za-z0-9_.-]{60,}"),
    _row("Facebook token", "EA" + "A", rf"{_W}{{90,}}"), ("FCM key", Pattern(rf"(?<![A-Za-z0-9])AAAA{_U}{{7}}:APA" + rf"91b{_U}{{100,}}", ":APA" + "91b")), _row("age key", "AGE-SECRET" + "-KEY-1", r"[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{50,58}"),
    ("JSON web token", Pattern(r"(?<![A-Za-z0-9_-])ey" + rf"J{_U}{{8,}}\.ey" + rf"J{_U}{{8,}}\.{_U}{{16,}}", "ey" + "J")), ("encrypted JSON web token", Pattern(r"(?<![A-Za-z0-9_-])ey" + rf"J{_U}{{8,}}\.{_U}{{40,}}\.{_U}{{8,}}\.{_U}{{8,}}\.{_U}{{8,}}", "ey" + "J")),
    _row("Nostr key", "nse" + "c1", r"[a-z0-9]{58}(?![A-Za-z0-9])"),
    ("password hash", Pattern(r"(?<![A-Za-z0-9$])\$(?:1|5|6|7|y|2[abxy]|apr1|argon2(?:id?|d))\$[A-Za-z0-9./=,$+-]{0,120}[A-Za-z0-9./+]{21,}", "$1$", "$5$", "$6$", "$7$", "$y$", "$2", "$apr1$", "$argon2")),
    ("Ethereum or Bitcoin key", Pattern(rf"(?i:private.{{0,20}}?)(?<![A-Za-z0-9])0x{_H}{{64}}(?![A-Za-z0-9])|(?<![A-Za-z0-9])[xyz]prv[A-Za-z0-9]{{100,112}}", "0x", "prv")),
)  # fmt: skip
"""Kind → pattern; a kind may have several."""
HINTS = tuple((hint, row) for row in TOKENS for group in row[1].groups for hint in group)
"""What stands in a text for each to match: most texts have none of them, and asking each pattern would take longer."""


def is_token(token: str, pattern: Pattern) -> bool:
    """Say whether a token is real: it does not count up, and without a placeholder it is a token yet."""
    tail = token[4:] if len(token) < 30 else token[8:]
    if is_counting(tail) or len(set(tail.lower())) < 6:
        return False
    placeholder = PLACEHOLDER.search(token[-20:].lower())
    if placeholder is None:
        return True
    kept = token[: len(token) - len(token[-20:]) + placeholder.start()]
    return pattern.search(kept) is not None and residue(kept[-20:]) >= LEAST_RESIDUE
