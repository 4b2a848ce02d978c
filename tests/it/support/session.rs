//! The explorer typed at, key by key, without a terminal and without threads.

use std::sync::Arc;

use actlog::app::effect::Effect;
use actlog::app::event::Event;
use actlog::app::key::{Code, Key};
use actlog::app::{Model, update};
use actlog::base::time::{Timestamp, parse_recorded};
use actlog::index::Index;
use actlog::index::build::from_bytes;
use actlog::jobs::inline::run_now;
use actlog::schema::catalog::Catalog;
use actlog::ui::theme::{Colour, Theme, UNICODE};
use actlog::ui::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// An explorer that does its work at once.
pub(crate) struct Session {
    pub(crate) model: Model,
    pub(crate) theme: Theme,
    pub(crate) waiting: Vec<Effect>,
    pub(crate) quit: bool,
}

/// A dozen events of three people on two days, one bad record among them.
pub(crate) fn small() -> Vec<u8> {
    let event = |time: &str, kind: &str, actor: &str, outcome: &str, more: &str| {
        format!(
            "{{\"eventType\":\"{kind}\",\"eventTime\":\"{time}\",\"actorUserLuid\":\"{actor}\",\
             \"eventOutcome\":\"{outcome}\"{more}}}\n"
        )
    };
    let mut log = String::new();
    for n in 0..5 {
        let time = format!("2026-03-02T09:0{n}:00.500Z");
        log += &event(&time, "hist_login", "ann", "success", "");
    }
    log += &event("2026-03-02T09:06:00Z", "hist_login", "bob", "unauthorized", "");
    log += "{\"eventType\":\"hist_login\",\"eventTime\":\n";
    let workbook = ",\"workbookName\":\"Sales EU\",\"workbookLuid\":\"w-1\"";
    log += &event("2026-03-02T11:00:00Z", "hist_update_workbook", "ann", "success", workbook);
    log += &event("2026-03-02T11:00:10Z", "hist_delete_workbook", "bob", "success", workbook);
    log += &event("2026-03-03T08:30:00Z", "hist_login", "cat", "success", "");
    log += &event("2026-03-03T08:31:00Z", "made_up_type", "cat", "success", ",\"odd\":\"needle\"");
    log.into_bytes()
}

/// The small log and sixty later events of two people, more than a screen holds.
pub(crate) fn long() -> Vec<u8> {
    let mut log = small();
    for n in 0..60 {
        let actor = if n % 2 == 0 { "ann" } else { "bob" };
        let event = format!(
            "{{\"eventType\":\"hist_logout\",\"eventTime\":\"2026-03-04T10:{n:02}:00Z\",\
             \"actorUserLuid\":\"{actor}\"}}\n"
        );
        log.extend_from_slice(event.as_bytes());
    }
    log
}

pub(crate) fn index_of(bytes: Vec<u8>, catalog: &Catalog) -> Arc<Index> {
    let names: Vec<&str> = catalog.types().iter().map(|known| known.name.as_str()).collect();
    from_bytes("small.jsonl", bytes, &names)
}

pub(crate) fn time(text: &str) -> Timestamp {
    parse_recorded(text.as_bytes()).unwrap().0
}

impl Session {
    pub(crate) fn open(size: (u16, u16), bytes: Vec<u8>) -> Self {
        let catalog = Arc::new(Catalog::built_in().unwrap());
        let index = index_of(bytes, &catalog);
        let now = time("2026-03-05T12:00:00Z");
        let model = Model::new(catalog, Arc::new(Index::default()), size, now);
        let theme = Theme { colour: Colour::Sixteen, glyphs: &UNICODE };
        let mut session = Self { model, theme, waiting: Vec::new(), quit: false };
        session.happen(Event::Index(index));
        session.settle();
        session
    }

    pub(crate) fn small() -> Self {
        Self::open((120, 36), small())
    }

    pub(crate) fn happen(&mut self, event: Event) {
        self.waiting.extend(update(&mut self.model, event));
    }

    /// Does all work that was started, and what it leads to.
    pub(crate) fn settle(&mut self) {
        while let Some(effect) = self.waiting.pop() {
            match effect {
                Effect::Start(ticket, request) => {
                    for news in run_now(ticket, &request) {
                        self.happen(Event::Job(news));
                    }
                }
                Effect::Quit => self.quit = true,
                Effect::Cancel(_)
                | Effect::Copy(_)
                | Effect::Redraw
                | Effect::Reload
                | Effect::ToggleFollow
                | Effect::Suspend => {}
            }
        }
    }

    /// Types words; `<enter>` and the like are keys, blanks only keep words apart.
    pub(crate) fn keys(&mut self, text: &str) -> &mut Self {
        for word in text.split(' ') {
            match word.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
                Some("enter") => self.key(Key::plain(Code::Enter)),
                Some("esc") => self.key(Key::plain(Code::Esc)),
                Some("shift-tab") => self.key(Key::parse("Shift-Tab").unwrap()),
                Some("down") => self.key(Key::parse("↓").unwrap()),
                Some("up") => self.key(Key::parse("↑").unwrap()),
                Some("tab") => self.key(Key::plain(Code::Tab)),
                Some("space") => self.key(Key::char(' ')),
                Some(name) => self.key(Key::parse(name).unwrap()),
                None => word.chars().for_each(|c| self.key(Key::char(c))),
            }
        }
        self
    }

    pub(crate) fn key(&mut self, key: Key) {
        self.happen(Event::Key(key));
        self.settle();
    }

    pub(crate) fn buffer(&self) -> Buffer {
        let (w, h) = self.model.layout.size;
        let mut buf = Buffer::empty(Rect::new(0, 0, w, h));
        view(&self.model, self.theme, &mut buf);
        buf
    }

    pub(crate) fn screen(&self) -> String {
        let buf = self.buffer();
        let row = |y| {
            let cells = (0..buf.area.width).map(|x| buf[(x, y)].symbol());
            cells.collect::<String>().trim_end().to_owned()
        };
        (0..buf.area.height).map(row).collect::<Vec<_>>().join("\n")
    }

    #[track_caller]
    pub(crate) fn shows(&mut self, words: &str) -> &mut Self {
        let screen = self.screen();
        assert!(screen.contains(words), "{words:?} is not on\n{screen}");
        self
    }

    #[track_caller]
    pub(crate) fn lacks(&mut self, words: &str) -> &mut Self {
        let screen = self.screen();
        assert!(!screen.contains(words), "{words:?} is on\n{screen}");
        self
    }

    /// Returns the row of the screen that holds the focused event.
    pub(crate) fn cursor_row(&self) -> usize {
        self.model.panes.events.row
    }
}
