//! Tables of plausible values for attributes whose value is one of a few texts, as JSON.

/// Values of attributes by name, whatever the event type.
pub(super) const VALUES: &[(&str, &[&str])] = &[
    (
        "acceptLanguage",
        &[r#""en-GB,en;q=0.9""#, r#""en-US""#, r#""de-DE,de;q=0.8""#, r#""ja-JP""#, "null"],
    ),
    ("agentName", &[r#""bridge-01""#, r#""bridge-02""#, r#""Büro-Agent""#]),
    ("bridgeClientVersion", &[r#""20261.26.0212""#, r#""20253.25.1118""#]),
    (
        "bridgeClientConnectionStatus",
        &[r#""Connected""#, r#""Connected""#, r#""Connected""#, r#""Disconnected""#],
    ),
    ("capabilityId", &["1", "2", "3", "5", "8", "12", "14", "16", "18", "20"]),
    (
        "capabilityValue",
        &[
            r#""read""#,
            r#""filter""#,
            r#""view_comments""#,
            r#""add_comment""#,
            r#""write""#,
            r#""export_image""#,
            r#""share_view""#,
            r#""export_data""#,
            r#""export_xml""#,
            r#""change_permissions""#,
        ],
    ),
    ("caption", &["null", "null", r#""Figures in thousands""#, r#""Stand: März 2026""#]),
    (
        "certificationNote",
        &["null", "null", "null", r#""Checked by the data team on 2026-01-15""#, r#""""#],
    ),
    (
        "connectionEndpoints",
        &[
            r#""[\"warehouse.example.com:5432\"]""#,
            r#""[\"files.example.com\",\"lake.example.com:443\"]""#,
        ],
    ),
    ("connectionType", &[r#""example-sql""#, r#""example-lake""#]),
    ("contentVersion", &["1", "2", "3", "7", "12"]),
    ("dataQualityType", &[r#""WARNING""#, r#""STALE""#, r#""DEPRECATED""#, r#""SENSITIVE_DATA""#]),
    ("dayOfMonthMask", &["0", "1", "16384", "2147483647"]),
    ("dayOfWeekMask", &["127", "62", "2", "65", "0"]),
    ("defaultViewIndex", &["0", "0", "0", "1", "2"]),
    ("deviceName", &[r#""Laptop 14""#, r#""demo-tablet""#, r#""Büro-PC""#]),
    ("documentVersion", &[r#""18.1""#, r#""18.1""#, r#""10.5""#]),
    ("domain", &[r#""example.com""#]),
    ("endAtMinute", &["1440", "1080", "0"]),
    (
        "fields",
        &[
            "null",
            "null",
            r#""[Region], [Order Date], SUM([Sales])""#,
            r#""[Kundengröße], [\"Net\" Sales]""#,
        ],
    ),
    ("flow", &[r#""interactive""#, r#""step-up""#]),
    ("groupDomain", &[r#""local""#, r#""local""#, r#""example.com""#]),
    ("groupNames", &["null", r#""All Users""#, r#""All Users;Analysts""#]),
    ("historicalQueueTime", &["0", "1", "4", "19", "72"]),
    ("historicalRunTime", &["3", "12", "48", "210", "1900"]),
    ("instanceName", &[r#""demo""#]),
    ("jwtIssuer", &[r#""https://issuer.example.com""#, r#""demo-connected-app""#]),
    (
        "loginUrl",
        &[r#""https://sso.example.com/public/idp/SSO""#, r#""https://demo.example.com/signin""#],
    ),
    (
        "message",
        &[
            r#""Figures of Monday are missing""#,
            r#""Veraltete Stammdaten, siehe \"Hinweise\"""#,
            "null",
        ],
    ),
    ("method", &[r#""POST""#, r#""POST""#, r#""POST""#, r#""GET""#]),
    ("minuteInterval", &["60", "240", "1440", "15"]),
    ("newAwsAccountNumber", &[r#""000000000000""#]),
    ("oldAwsAccountNumber", &["null", r#""000000000001""#]),
    ("newKmsKeyArn", &[r#""arn:aws:kms:xx-demo-1:000000000000:key/dec0de""#]),
    ("oldKmsKeyArn", &["null", r#""arn:aws:kms:xx-demo-1:000000000001:key/dec0de""#]),
    ("newS3BucketName", &[r#""demo-activity-log""#]),
    ("oldS3BucketName", &["null", r#""demo-activity-log-old""#]),
    ("newSettingValue", &[r#""enabled""#, r#""30""#, r#""disabled""#]),
    ("previousSettingValue", &[r#""disabled""#, r#""15""#, "null"]),
    ("newSettingsValue", &[r#""{\"enabled\":true,\"limit\":30}""#, r#""{\"enabled\":false}""#]),
    ("oldSettingsValue", &[r#""{\"enabled\":false,\"limit\":10}""#, "null"]),
    ("openAuthInstanceUrl", &[r#""https://oauth.example.com""#]),
    ("openAuthProvider", &[r#""example-oauth""#, r#""demo-drive""#]),
    ("orgId", &[r#""org-demo-01""#]),
    ("platform", &[r#""cloud""#]),
    ("platformVersion", &[r#""2026.1.0""#, r#""2025.3.4""#]),
    ("pod", &[r#""demo-a""#]),
    ("podName", &[r#""demo-a""#]),
    ("poolName", &[r#""Default Pool""#, r#""Warehouse Pool""#]),
    ("priority", &["50", "50", "20", "90"]),
    (
        "referrer",
        &[
            r#""https://demo.example.com/""#,
            "null",
            "null",
            r#""https://intranet.example.com/kpi?team=5&lang=de""#,
            "null",
        ],
    ),
    ("remoteQueryAgentName", &["null", "null", r#""bridge-01.example.com""#]),
    ("scope", &[r#""tableau:content:read""#, r#""tableau:views:embed tableau:insights:embed""#]),
    ("scopedMetricId", &[r#""metric-demo-1""#, r#""metric-demo-2""#]),
    ("settingDescription", &[r#""How long sessions last""#, r#""Who may publish""#]),
    (
        "settingIdentifier",
        &[r#""session.idle_minutes""#, r#""sharing.public_links""#, r#""ai.enabled""#],
    ),
    ("sheetId", &[r#""{0A1B-DEMO}""#, r#""{0C2D-DEMO}""#]),
    ("sheetType", &[r#""dashboard""#, r#""dashboard""#, r#""view""#, r#""story""#]),
    ("siteRole", &[r#""Viewer""#, r#""Explorer""#, r#""Creator""#, r#""Unlicensed""#]),
    ("startAtMinute", &["0", "120", "330", "360"]),
    ("templateType", &[r#""workbook""#, r#""view""#, r#""datasource""#]),
    ("timeZone", &["0", "0", "60", "-300"]),
    ("timeZoneId", &[r#""Etc/UTC""#, r#""Europe/Berlin""#, r#""Asia/Tokyo""#]),
    ("uploadedFile", &["null", r#""client secret.json""#]),
    ("userType", &[r#""UI""#, r#""UI""#, r#""API""#]),
    ("verificationMethod", &[r#""authenticator app""#, r#""security key""#, r#""recovery code""#]),
    ("operationType", &[r#""create""#, r#""update""#, r#""delete""#]),
    ("groupOperation", &[r#""add""#, r#""add""#, r#""delete""#]),
    ("groupSetOperation", &[r#""add""#, r#""delete""#]),
    ("projectOperation", &[r#""lock""#, r#""unlock""#]),
    ("subscriptionOperation", &[r#""subscribe""#, r#""unsubscribe""#]),
    ("userOperation", &[r#""create""#, r#""create""#, r#""delete""#]),
];

/// How many bytes the site may store.
pub(super) const STORAGE_LIMIT: u64 = 1 << 40;

/// What a request asks for, without quotes; the first opens a session.
pub(super) const ENDPOINTS: [&str; 12] = [
    "bootstrapSession",
    "select",
    "categorical-filter-by-index",
    "render-tooltip-server",
    "ensure-layer",
    "tabdoc-set-parameter-value",
    "performPostLoadOperations",
    "hover-tooltip",
    "scroll",
    "goto-sheet",
    "export-crosstab-to-csvserver",
    "get-view-data-dialog",
];

/// What outcomes other than success there are, with their quotes.
pub(super) const OUTCOMES: [&str; 3] =
    [r#""client_error""#, r#""unauthorized""#, r#""internal_error""#];

/// Why an outcome was not a success.
pub(super) const OUTCOME_REASONS: [&str; 6] = [
    r#""the content was moved or deleted""#,
    r#""missing capability: write""#,
    r#""the server did not answer within 30 s""#,
    r#""session expired""#,
    r#""invalid value for \"name\"""#,
    "null",
];

/// Why a sign-in failed.
pub(super) const LOGIN_REASONS: [&str; 4] = [
    r#""invalid credentials""#,
    r#""second factor not confirmed""#,
    r#""account locked""#,
    r#""token expired""#,
];

/// What the failing job of the story writes.
pub(super) const STORY_NOTES: &str = "Sign-in to warehouse.example.com refused: the password of \
    \"extract_reader\" has expired\n\tat com.example.engine.Connection.open(Connection.java:218)\n\tat \
    com.example.engine.ExtractRefresh.run(ExtractRefresh.java:77)\n\tat \
    com.example.jobs.Worker.perform(Worker.java:412)\n";

/// What other failing jobs write; a stack trace of many lines is put behind some of them.
pub(super) const NOTES: [&str; 4] = [
    "Query took longer than 7200 s and was stopped",
    "Spalte \"Größe\" fehlt in der Tabelle \"ledger_2026\"",
    "No bridge client is connected for \"files.example.com\"",
    "Out of memory while sorting 48 213 907 rows",
];

/// A line of a stack trace; the number of the line follows.
pub(super) const TRACE_LINE: &str =
    "\\n\\tat com.example.engine.plan.Node$Visitor.lambda(Node.java:";
