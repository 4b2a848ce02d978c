//! Taking times: medians of runs that alternate, so that a change of the machine's mood hits all.

use std::time::Instant;

/// Work that is timed; it returns a number so that nothing is left out.
pub(crate) type Work<'a> = Box<dyn FnMut() -> u64 + 'a>;

/// Runs each work in turn, `rounds` times, and returns each one's median in seconds.
///
/// One round before is not counted.
pub(crate) fn medians(rounds: usize, works: &mut [Work<'_>]) -> Vec<f64> {
    let mut times = vec![Vec::new(); works.len()];
    for round in 0..=rounds {
        for (work, times) in works.iter_mut().zip(&mut times) {
            let started = Instant::now();
            std::hint::black_box(work());
            if 0 < round {
                times.push(started.elapsed().as_secs_f64());
            }
        }
    }
    times.into_iter().map(median).collect()
}

/// Returns the median in seconds of one work.
pub(crate) fn one(rounds: usize, work: impl FnMut() -> u64) -> f64 {
    medians(rounds, &mut [Box::new(work)])[0]
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    if std::env::var_os("ASK_MIN").is_some() {
        return times[0];
    }
    times[times.len() / 2]
}
