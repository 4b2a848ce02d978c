//! Which zones times can be shown in, and the way from one to the next.

use crate::app::Model;
use crate::base::zone::Zone;

/// The zones that a key goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zones {
    /// The zone of this machine.
    pub local: Zone,
    /// The one that was chosen by name last.
    pub named: Option<Zone>,
}

impl Zones {
    /// Returns the zones in turn, each once.
    fn all(self) -> Vec<Zone> {
        let mut all = vec![Zone::Utc];
        for zone in [Some(self.local), self.named].into_iter().flatten() {
            if !all.contains(&zone) {
                all.push(zone);
            }
        }
        all
    }
}

/// Shows times in the next zone.
pub fn next(model: &mut Model) {
    let all = model.zones.all();
    let at = all.iter().position(|zone| *zone == model.data.zone).unwrap_or(0);
    let zone = all[(at + 1) % all.len()];
    if zone == model.data.zone {
        return model.tell("this machine's zone is UTC too; Z chooses another by name");
    }
    show(model, zone);
}

/// Shows times in a zone that was chosen by name.
pub fn choose(model: &mut Model, zone: Zone) {
    if zone != Zone::Utc && zone != model.zones.local {
        model.zones.named = Some(zone);
    }
    show(model, zone);
}

fn show(model: &mut Model, zone: Zone) {
    let whose = if zone == model.zones.local && zone != Zone::Utc {
        ", the zone of this machine"
    } else {
        ""
    };
    model.data.zone = zone;
    model.tell(format!("times are shown in {}{whose}; filters mean UTC", zone.name()));
}
