//! The terms of a site by entropy.

use super::escape::{Bdi, number, plural};
use super::plot::{Plot, Shape, figure};
use crate::entropy::{Stat, Table, entropy};
use crate::store::{SiteStore, StoreError};
use std::fmt::Write as _;

/// Terms in a table.
const SHOWN: usize = 200;
/// Bars of the distribution.
const BARS: usize = 20;

struct Term {
    text: String,
    stat: Stat,
    entropy: f64,
}

/// The first of an order of terms, found in one pass with memory for a few times as many.
struct First {
    terms: Vec<Term>,
    order: fn(&Term, &Term) -> std::cmp::Ordering,
}

impl First {
    fn add(&mut self, key: &[u8], stat: Stat, entropy: f64) {
        self.terms.push(Term { text: String::from_utf8_lossy(key).into_owned(), stat, entropy });
        if self.terms.len() > 8 * SHOWN {
            self.settle();
        }
    }

    fn settle(&mut self) {
        self.terms.sort_unstable_by(self.order);
        self.terms.truncate(SHOWN);
    }
}

/// The body of the page. One pass over all terms.
pub(super) fn terms(site: &SiteStore) -> Result<String, StoreError> {
    let pages = site.n_pages();
    let mut high = First {
        terms: Vec::new(),
        order: |a, b| b.entropy.total_cmp(&a.entropy).then(b.stat.tf.cmp(&a.stat.tf)).then_with(|| a.text.cmp(&b.text)),
    };
    // Of the terms of one page, which all have entropy 0, there are too many to tell anything.
    let mut low = First {
        terms: Vec::new(),
        order: |a, b| a.entropy.total_cmp(&b.entropy).then(b.stat.tf.cmp(&a.stat.tf)).then_with(|| a.text.cmp(&b.text)),
    };
    let mut bars = [0_u64; BARS];
    let (mut all, mut of_one) = (0_u64, 0_u64);
    site.for_each_key(Table::Terms, |key, _, stat| {
        let entropy = entropy(&stat, pages);
        all += 1;
        if stat.df < 2 {
            of_one += 1;
            return;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to BARS")]
        let bar = (entropy * BARS as f64).clamp(0.0, BARS as f64) as usize;
        bars[bar.min(BARS - 1)] += 1;
        high.add(key, stat, entropy);
        low.add(key, stat, entropy);
    })?;
    high.settle();
    low.settle();
    let mut out = format!(
        "<h1>Terms</h1>\n<p>{}, of which {} on one page only. The entropy EN says how evenly a term is spread over the {}: \
         near 1, it belongs to the template; near 0, to a few pages. W = 1 − EN is what it weighs.</p>\n<section class=\"card\">",
        plural(all, "term"),
        if of_one == 1 { "1 stands".to_owned() } else { format!("{} stand", number(of_one)) },
        plural(pages, "page"),
    );
    let points: Vec<(f64, f64)> =
        bars.iter().enumerate().map(|(at, count)| (at as f64 / BARS as f64, *count as f64)).collect();
    out.push_str(&figure(&Plot {
        caption: "Terms on two pages or more, by entropy",
        axes: ["entropy", "terms"],
        shape: Shape::Bars,
        ends: [1.0, bars.iter().max().map_or(1.0, |most| (*most).max(1) as f64)],
        points: &points,
        shaded: &[],
    }));
    out.push_str("</section>\n<div class=\"grid\">");
    table(&mut out, "high", "Highest entropy: the template's words", &high.terms);
    table(&mut out, "low", "Lowest entropy on two pages or more", &low.terms);
    out.push_str("</div>");
    Ok(out)
}

fn table(out: &mut String, id: &str, title: &str, terms: &[Term]) {
    let _ = write!(
        out,
        "<section class=\"card\"><h2>{title}</h2><div class=\"tools\" data-filter=\"{id}\" hidden><label>Find<input type=\"search\"></label><output aria-live=\"polite\" class=\"small soft\"></output></div>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{title}\"><table id=\"{id}\" data-sort><thead><tr><th scope=\"col\">Term</th><th scope=\"col\" class=\"n\">EN</th><th scope=\"col\" class=\"n\">W</th><th scope=\"col\" class=\"n\">Pages</th><th scope=\"col\" class=\"n\">Times</th></tr></thead><tbody>"
    );
    for term in terms {
        let _ = write!(
            out,
            "<tr><td class=\"w\">{}</td><td class=\"n\">{:.3}</td><td class=\"n\">{:.3}</td><td class=\"n\" data-v=\"{}\">{}</td><td class=\"n\" data-v=\"{}\">{}</td></tr>",
            Bdi(&term.text),
            term.entropy,
            1.0 - term.entropy,
            term.stat.df,
            number(u64::from(term.stat.df)),
            term.stat.tf,
            number(term.stat.tf),
        );
    }
    out.push_str("</tbody></table></div></section>");
}
