//! Words from which people, content and addresses are made. All of it is invented.

/// Given names, as part of a sign-in name and as shown.
pub(super) const GIVEN: [(&str, &str); 48] = [
    ("ada", "Ada"), ("bjorn", "Bjørn"), ("chiara", "Chiara"), ("daan", "Daan"), ("elif", "Elif"),
    ("finn", "Finn"), ("greta", "Greta"), ("haruto", "陽翔"), ("ines", "Inês"), ("jonas", "Jonas"),
    ("kaya", "Kaya"), ("mara", "Mara"), ("lucia", "Lucía"), ("milan", "Milan"), ("nadia", "Nadia"),
    ("olu", "Olu"), ("priya", "Priya"), ("quentin", "Quentin"), ("rosa", "Rosa"), ("soren", "Søren"),
    ("tala", "Tala"), ("ulrike", "Ulrike"), ("viktor", "Viktor"), ("wanda", "Wanda"),
    ("xenia", "Xenia"), ("yuki", "雪"), ("zoe", "Zoé"), ("amir", "Amir"), ("bea", "Bea"),
    ("cem", "Cem"), ("dora", "Dóra"), ("emil", "Emil"), ("fatima", "Fatima"), ("goran", "Goran"),
    ("hana", "花"), ("ivo", "Ivo"), ("june", "June"), ("kofi", "Kofi"), ("lena", "Lena"),
    ("mei", "Mei"), ("noor", "Noor"), ("oscar", "Oscar"), ("petra", "Petra"), ("ravi", "Ravi"),
    ("sven", "Sven"), ("tess", "Tess"), ("umar", "Umar"), ("vera", "Vera"),
];

/// Family names, as part of a sign-in name and as shown.
pub(super) const FAMILY: [(&str, &str); 48] = [
    ("abel", "Abel"), ("brandt", "Brandt"), ("costa", "Costa"), ("demo", "Demo"), ("eriksen", "Eriksen"),
    ("fischer", "Fischer"), ("garcia", "García"), ("haas", "Haas"), ("ito", "伊藤"), ("jensen", "Jensen"),
    ("kowal", "Kowal"), ("larsen", "Larsen"), ("muller", "Müller"), ("nowak", "Nowak"), ("okafor", "Okafor"),
    ("pires", "Pires"), ("quist", "Quist"), ("rossi", "Rossi"), ("sato", "佐藤"), ("tanaka", "田中"),
    ("ueda", "Ueda"), ("voss", "Voss"), ("weber", "Weber"), ("xu", "Xu"), ("yilmaz", "Yılmaz"),
    ("zander", "Zander"), ("adler", "Adler"), ("bauer", "Bauer"), ("crane", "Crane"), ("dubois", "Dubois"),
    ("egger", "Egger"), ("frost", "Frost"), ("gupta", "Gupta"), ("hale", "Hale"), ("iyer", "Iyer"),
    ("joshi", "Joshi"), ("klein", "Klein"), ("lind", "Lind"), ("marsh", "Marsh"), ("nair", "Nair"),
    ("ortiz", "Ortiz"), ("park", "Park"), ("reyes", "Reyes"), ("stone", "Stone"), ("thorne", "Thorne"),
    ("urban", "Urban"), ("vance", "Vance"), ("wolff", "Wolff"),
];

/// What workbooks are about.
pub(super) const WORKBOOKS: [&str; 30] = [
    "Quarterly Sales", "Regional Pipeline", "Customer Churn", "Café Footfall", "Logistics Cockpit",
    "Support Backlog", "Web Funnel", "Energy Use", "売上ダッシュボード", "Hiring Plan", "Fleet Status",
    "Store Ranking", "Travel Costs", "Budget \"final\"", "Plan\\Actual", "Team Pulse 🎯",
    "Qualité Fournisseurs", "Clinic Waiting Times", "Machine Uptime", "Ad Spend", "Cash Forecast",
    "Returns & Refunds", "Warehouse Picks", "Training Hours", "Größenverteilung", "Price Index",
    "Incident Review", "Course Enrolment", "Water Levels", "Loyalty Cards",
];

/// What sets one workbook apart from the next of the same subject.
pub(super) const EDITIONS: [&str; 12] = [
    "", " EMEA", " APAC", " 2026", " – draft", " (new)", " Americas", " v2", " weekly", " für Köln",
    " archive", " pilot",
];

/// Sheets and dashboards in a workbook.
pub(super) const VIEWS: [&str; 16] = [
    "Overview", "Trend", "By Region", "Details", "Map", "Top 20", "Forecast", "Drivers", "Outliers",
    "Résumé", "比較", "Year over Year", "Targets", "Breakdown", "Data Quality", "Notes",
];

/// What data sources hold.
pub(super) const DATASOURCES: [&str; 16] = [
    "Orders", "Customers", "General Ledger", "Web Sessions", "Tickets", "Headcount", "Sensors",
    "Prices", "Shipments", "在庫", "Campaigns", "Contracts", "Inventaire Été", "Forecast Inputs",
    "Machine Logs", "Calendar",
];

/// What flows do.
pub(super) const FLOWS: [&str; 8] = [
    "Clean Orders", "Merge Customers", "Ledger to Extract", "Sessionise Web Hits", "Daily Headcount",
    "Normalise Prices", "Nettoyage Été", "Sensor Rollup",
];

/// Projects, as folders of content.
pub(super) const PROJECTS: [&str; 12] = [
    "Default", "Sales", "Operations", "Marketing", "People", "Supply Chain", "Sandbox", "Executive",
    "R&D", "Région Sud", "Archive 2025", "東京",
];

/// Groups of people.
pub(super) const GROUPS: [&str; 14] = [
    "All Users", "Sales EMEA", "Sales APAC", "Analysts", "Content Owners", "Interns", "Contractors",
    "Operations Leads", "Marketing", "People Team", "Data Stewards", "Direction Générale", "Auditors",
    "Site Support",
];

/// Other things with a name: tables, databases, columns, roles, collections, connections, metrics.
pub(super) const PLAIN: [&str; 12] = [
    "orders", "order_lines", "customers", "ledger_2026", "web_hits", "tickets", "staff", "sensor_raw",
    "price_list", "shipments", "campaign_touch", "calendar",
];

/// When extracts are refreshed: name, minutes between runs.
pub(super) const SCHEDULES: [(&str, u16); 8] = [
    ("Daily 02:00", 1440), ("Every 4 hours", 240), ("Daily 05:30", 1440), ("Hourly at :15", 60),
    ("Daily 23:00", 1440), ("Weekdays 06:00", 1440), ("Every 8 hours", 480), ("Daily 12:45", 1440),
];

/// What people write about content.
pub(super) const DESCRIPTIONS: [&str; 10] = [
    "Numbers for the weekly meeting.\nAsk the owner before sharing.",
    "Source of truth, see the \"Method\" tab.",
    "Work in progress",
    "Données consolidées, mises à jour chaque nuit.",
    "Copy of last year's report with the new regions; the old one stays until the end of the quarter, \
     then it moves to the archive project and only its owner can open it.",
    "Exported from C:\\Reports\\2026\\March",
    "毎週月曜日に更新",
    "Targets in thousands, actuals in units.\tHandle with care.",
    "Temporary",
    "Reviewed; no personal data.",
];

/// What browsers and tools call themselves.
pub(super) const AGENTS: [&str; 8] = [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64)",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 (KHTML, like Gecko) Version/19.1 Safari/605.1",
    "Mozilla/5.0 (X11; Linux x86_64; rv:141.0)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) DemoBrowser/31.2",
    "Mozilla/5.0 (iPad; CPU OS 19_2 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Mobile/15E148",
    "demo-sync/3.1 (+https://tools.example.com/sync)",
    "python-requests/2.40",
];
