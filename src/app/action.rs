//! What a person may wish, by family; each family has one owner.

macro_rules! actions {
    ($( $(#[doc = $doc:literal])* $family:ident { $( $variant:ident $name:literal $help:literal, )* } )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $family {
                $( #[doc = $help] $variant, )*
            }

            impl $family {
                /// Returns the name in kebab case.
                pub const fn name(self) -> &'static str {
                    match self { $( Self::$variant => $name, )* }
                }

                /// Returns one line of help.
                pub const fn help(self) -> &'static str {
                    match self { $( Self::$variant => $help, )* }
                }
            }
        )*

        /// Anything a key or the palette can ask for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $( $(#[doc = $doc])* $family($family), )*
        }

        impl Action {
            /// Every action there is, in the order of the help.
            pub const ALL: &'static [Self] = &[ $( $( Self::$family($family::$variant), )* )* ];

            /// Returns the name in kebab case.
            pub const fn name(self) -> &'static str {
                match self { $( Self::$family(inner) => inner.name(), )* }
            }

            /// Returns one line of help.
            pub const fn help(self) -> &'static str {
                match self { $( Self::$family(inner) => inner.help(), )* }
            }
        }
    };
}

actions! {
    /// Moving in a list or text; done by the viewport of whatever has the focus.
    Move {
        Down "down" "one line down",
        Up "up" "one line up",
        Left "left" "left; fold",
        Right "right" "right; unfold",
        Top "top" "first line, or line N with a count",
        Bottom "bottom" "last line",
        PageDown "page-down" "one page down",
        PageUp "page-up" "one page up",
        HalfDown "half-page-down" "half a page down",
        HalfUp "half-page-up" "half a page up",
    }

    /// Editing one line of text; done by the line editor.
    Edit {
        Left "edit-left" "cursor left",
        Right "edit-right" "cursor right",
        WordLeft "edit-word-left" "one word left",
        WordRight "edit-word-right" "one word right",
        Start "edit-start" "start of the line",
        End "edit-end" "end of the line",
        DeleteBack "edit-backspace" "delete the character before the cursor",
        Delete "edit-delete" "delete the character under the cursor",
        DeleteWord "edit-delete-word" "delete the word before the cursor",
        KillStart "edit-kill-start" "delete to the start of the line",
        KillEnd "edit-kill-end" "delete to the end of the line",
        Yank "edit-yank" "put back what was deleted last",
        Older "edit-older" "older entry of the history",
        Newer "edit-newer" "newer entry of the history",
        Accept "accept" "take the line or the choice",
        Complete "complete" "list what can be typed here; take the next suggestion",
        CompleteBack "complete-back" "take the suggestion before",
    }

    /// What the focused pane or overlay does with the thing under the cursor.
    Pane {
        Open "open" "show these events; open the event; take this range",
        Collect "collect" "add to or drop from the selection; start a range",
        Include "include" "keep only events with the value under the cursor",
        Exclude "exclude" "leave out events with the value under the cursor",
        Fold "fold" "fold or unfold",
        Present "present" "only types that occur, or all that are documented",
        Sort "sort" "next sort order",
        ZoomIn "zoom-in" "halve the time shown",
        ZoomOut "zoom-out" "double the time shown",
        ZoomAll "zoom-all" "show all of the time again",
        Raw "raw" "the record as it stands in the file, or its fields",
        Absent "absent" "documented attributes the event lacks",
        Delete "delete" "delete the chip",
        Change "change" "edit the chip",
        Earlier "move-earlier" "move the chip to the left",
        Later "move-later" "move the chip to the right",
    }

    /// About the focused event, from any pane.
    Jump {
        NextFailure "next-failure" "next failed event",
        PrevFailure "previous-failure" "previous failed event",
        NextSame "next-same-type" "next event of the same type",
        PrevSame "previous-same-type" "previous event of the same type",
        Actor "same-actor" "everything this actor did",
        Object "same-object" "everything that happened to this object",
        Context "context" "show the neighbours the filter hides; again for more",
        NoContext "no-context" "hide the neighbours again",
        Time "go-to-time" "go to a time: 09:30, 2026-03-02T09:30, -2h",
        CopyEvent "copy-event" "copy the event as JSON",
        CopyValue "copy-value" "copy the value under the cursor",
        CopyFilter "copy-filter" "copy the filter",
        CopyTime "copy-time" "copy the time",
        CopyPlace "copy-place" "copy file and line",
    }

    /// What is shown of the log, and the way there.
    View {
        Filter "filter" "edit the filter",
        Chips "chips" "list of the narrowings: switch, edit, delete, reorder",
        Lift "lift" "lift all narrowings, or put them back",
        Undo "undo" "undo the last change of the view",
        Redo "redo" "redo what was undone",
        Back "back" "previous view",
        Forward "forward" "next view",
        Search "search" "search forward in the text of the events",
        SearchBack "search-back" "search backward, as / and then ? does",
        SearchNext "search-next" "next hit",
        SearchPrev "search-previous" "previous hit",
    }

    /// The program itself: panes, overlays, leaving.
    App {
        NextPane "next-pane" "next pane",
        PrevPane "previous-pane" "previous pane",
        ShowTypes "pane-types" "go to the event types",
        ShowActors "pane-actors" "go to the actors",
        ShowTimeline "pane-timeline" "go to the timeline",
        ShowEvents "pane-events" "go to the events",
        ShowDetail "pane-detail" "go to the detail",
        Doc "doc" "full documentation of the attribute or type under the cursor",
        Problems "problems" "bad records and other problems",
        Palette "palette" "all commands, event types and attributes by name",
        Help "help" "the keys that work here",
        Cancel "cancel" "close, leave the prompt, stop a search; never lifts a narrowing",
        Leave "leave" "one step out; from the events: quit",
        Quit "quit" "quit",
        Redraw "redraw" "draw the screen anew",
        Zone "zone" "show times in the next zone: UTC, this machine's, one chosen by name",
        Zones "zones" "choose a zone by name",
        Suspend "suspend" "back to the shell; fg returns",
        Reload "reload" "read the files anew",
        Follow "follow" "show what is appended to the files, or stop showing it",
    }
}

impl Action {
    /// Returns the action of that kebab-case name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| action.name() == name)
    }
}
