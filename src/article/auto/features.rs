//! The features of each block: what the classifier sees. Language-free, and all in time linear in the page.

use super::super::meta::DeclaredTypes;
use super::block::{AT, BAR, Block, COPYRIGHT, Items, Page, key, ratio};
use super::places::{heading, holder, path_up, steps, title_block, top_container};
use super::sums::{Prefix, Range, Sums, groups, log, range};
use super::vocabulary::{KINDS, kinds};
use crate::dom::{Attr, Dom, NodeId, Tag};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Elements whose nearness above a block counts.
const ZONES: [(&str, &[Tag]); 16] = [
    ("nav", &[Tag::NAV, Tag::MENU]),
    ("header", &[Tag::HEADER]),
    ("footer", &[Tag::FOOTER]),
    ("aside", &[Tag::ASIDE]),
    ("article", &[Tag::ARTICLE]),
    ("main", &[Tag::MAIN]),
    ("section", &[Tag::SECTION]),
    ("form", &[Tag::FORM, Tag::FIELDSET, Tag::SELECT, Tag::LABEL, Tag::BUTTON, Tag::TEXTAREA]),
    ("table", &[Tag::TABLE]),
    ("ul", &[Tag::UL, Tag::OL, Tag::DL]),
    ("figure", &[Tag::FIGURE, Tag::FIGCAPTION, Tag::CAPTION]),
    ("quote", &[Tag::BLOCKQUOTE]),
    ("link", &[Tag::A]),
    ("pre", &[Tag::PRE, Tag::CODE]),
    ("heading", &[Tag::H1, Tag::H2, Tag::H3, Tag::H4, Tag::H5, Tag::H6]),
    ("p", &[Tag::P]),
];

/// Place in [`ZONES`] of each tag.
static ZONE_OF: LazyLock<[Option<u8>; 256]> = LazyLock::new(|| {
    let mut table = [None; 256];
    for (zone, (_, tags)) in (0..).zip(ZONES) {
        for tag in tags {
            table[tag.number()] = Some(zone);
        }
    }
    table
});

const K: usize = KINDS.len();
const Z: usize = ZONES.len();

/// Place of the feature that holds the logarithm of the block's words.
pub(super) const WORDS: usize = 1;

/// Values that a row has at most.
const WIDEST: usize = 512;

/// A row of values under construction, with their names when they are asked for.
struct Row<'a> {
    /// The places that are left.
    places: std::slice::IterMut<'a, f32>,
    names: Option<&'a mut Vec<String>>,
}

impl Row<'_> {
    #[inline]
    fn put(&mut self, name: std::fmt::Arguments<'_>, value: f32) {
        if let Some(place) = self.places.next() {
            *place = value;
        }
        if self.names.is_some() {
            self.name(name);
        }
    }

    /// Once a page at most.
    #[cold]
    fn name(&mut self, name: std::fmt::Arguments<'_>) {
        self.names.iter_mut().for_each(|names| names.push(name.to_string()));
    }
}

macro_rules! put {
    ($row:expr, $value:expr, $($name:tt)+) => { $row.put(format_args!($($name)+), $value) };
}

/// An open element.
#[derive(Clone, Copy)]
struct Level {
    node: NodeId,
    end: NodeId,
    kind: [u16; K],
    zone: [u16; Z],
    /// Nearest and outermost element with two or more siblings like it.
    repeated: u16,
    outer_repeated: u16,
    sums: Sums,
    lo: u32,
    hi: u32,
    count: u32,
    items: Items,
}

/// Rows that are held at once: a page of a million blocks must not need a gigabyte.
const BATCH: usize = 4096;

/// The features of all blocks, row after row, in batches of [`BATCH`] rows at most. Each row ends in `extra` zeros that
/// the taker may fill in.
#[allow(clippy::too_many_lines, reason = "one list")]
pub(super) fn features(
    dom: &Dom,
    page: &Page,
    types: DeclaredTypes,
    extra: usize,
    mut names: Option<&mut Vec<String>>,
    mut take: impl FnMut(&mut [f32]),
) {
    let n = page.blocks.len();
    if n == 0 {
        return;
    }
    let mut values = Vec::new();
    let prefix = Prefix::new(page);
    let all = prefix.all();
    let (tag_groups, class_groups) = groups(page);
    let mut hashes: FxHashMap<u64, u32> = FxHashMap::default();
    for block in &page.blocks {
        *hashes.entry(block.hash).or_insert(0) += 1;
    }
    let page_topic = ratio(all.in_title, all.words).max(0.001);
    let page_description = ratio(all.in_description, all.words).max(0.001);
    let top = top_container(dom, page);
    let top_path = path_up(dom, top);
    let shares: Vec<NodeId> = [0.5, 0.75, 0.9].into_iter().map(|share| holder(dom, page, &prefix, share)).collect();
    let share_paths: Vec<Vec<NodeId>> = shares.iter().map(|&id| path_up(dom, id)).collect();
    // The kind of place that holds most good text, and where its blocks stand.
    let main_path = class_groups.iter().map(|(path, group)| (group.good, *path)).max().map_or(0, |(_, path)| path);
    let mains: Vec<usize> =
        (0..n).filter(|&i| page.blocks[i].class_path == main_path && page.blocks[i].is_good()).collect();
    let main_good: u32 = mains.iter().map(|&i| page.blocks[i].len - page.blocks[i].linked).sum();
    let main_blocks: Vec<NodeId> = mains.first().map_or_else(Vec::new, |&i| path_up(dom, page.blocks[i].container));
    let title = title_block(dom, page);
    let title_at = title.map(|(i, _)| i);
    // Around the title ever wider, with the blocks each holds.
    let title_path: Vec<NodeId> = title_at.map_or_else(Vec::new, |i| path_up(dom, page.blocks[i].container));
    let title_sums: Vec<(u32, Sums)> = title_path
        .iter()
        .map(|&id| {
            let range = range(dom, page, id);
            (range.hi - range.lo, prefix.of(&range))
        })
        .collect();
    let max_len = page.blocks.iter().map(|b| b.len).max().unwrap_or(0);
    let headings: u32 = page.blocks.iter().map(|b| u32::from(heading(dom, b) > 0)).sum();
    let paragraphs: u32 = page.blocks.iter().map(|b| u32::from(dom.tag(b.container) == Tag::P)).sum();
    let top_sums = prefix.of(&range(dom, page, top));
    let mut kind_memo: FxHashMap<&str, u32> = FxHashMap::default();
    let mut comment_good = 0;
    let mut max_good = 0;
    for block in &page.blocks {
        if block.is_good() {
            max_good = max_good.max(block.len);
        }
    }
    let mut last_heading: Option<usize> = None;
    let mut next_heading: Vec<u32> = vec![u32::MAX; n + 1];
    for i in (0..n).rev() {
        next_heading[i] =
            if heading(dom, &page.blocks[i]) > 0 { u32::try_from(i).unwrap_or(u32::MAX) } else { next_heading[i + 1] };
    }

    let mut stack: Vec<Level> = Vec::new();
    let mut places = [0.0; WIDEST];
    let mut at = 0_usize;
    for id in dom.ids() {
        while stack.last().is_some_and(|l| id >= l.end) {
            stack.pop();
        }
        if at >= n {
            break;
        }
        let tag = dom.tag(id);
        if tag != Tag::TEXT {
            let end = dom.end(id);
            if page.blocks[at].first >= end {
                // No block begins in it.
                continue;
            }
            let level = enter(dom, page, &prefix, &stack, &mut kind_memo, id, at);
            stack.push(level);
            continue;
        }
        if page.blocks[at].first != id {
            continue;
        }
        let block = &page.blocks[at];
        let Some(up) = stack.last() else { continue };
        let mut row = Row { places: places.iter_mut(), names: names.as_deref_mut() };
        own(&mut row, dom, page, block, &hashes);
        // Elements above.
        let depth = u16::try_from(stack.len()).unwrap_or(u16::MAX);
        let near = |found: u16| if found == 0 { 0.0 } else { 1.0 / (1.0 + f32::from(depth - found)) };
        for (i, (name, _)) in ZONES.iter().enumerate() {
            put!(row, near(up.zone[i]), "zone.{name}");
        }
        for i in [0, 3, 4, 5] {
            let share = (up.zone[i] as usize).checked_sub(1).map_or(0.0, |d| ratio(stack[d].sums.good, all.good));
            put!(row, share, "zone.{}.good", ZONES[i].0);
        }
        for (i, name) in KINDS.iter().enumerate() {
            put!(row, near(up.kind[i]), "kind.{name}");
        }
        for (i, name) in KINDS.iter().enumerate() {
            let level = (up.kind[i] as usize).checked_sub(1).map(|d| &stack[d]);
            put!(row, level.map_or(-1.0, |l| ratio(l.sums.good, all.good)), "kind.{name}.good");
        }
        if up.kind[1] > 0 && block.is_good() {
            comment_good += block.len - block.linked;
        }
        // Repetition.
        for (name, found) in [("item", up.repeated), ("outer", up.outer_repeated)] {
            let level = (found as usize).checked_sub(1).map(|d| &stack[d]);
            let parent = (found as usize).checked_sub(2).map(|d| &stack[d]);
            put!(row, near(found), "{name}.near");
            put!(row, level.map_or(0.0, |l| log(l.count)), "{name}.count");
            put!(row, level.map_or(0.0, |l| log(l.sums.len)), "{name}.len");
            put!(row, level.map_or(0.0, |l| ratio(l.sums.linked, l.sums.len)), "{name}.ld");
            put!(row, level.map_or(0.0, |l| log(l.hi - l.lo)), "{name}.blocks");
            put!(row, level.map_or(0.0, |l| ratio(l.sums.good, l.sums.len)), "{name}.good");
            put!(row, level.map_or(0.0, |l| log(u32::try_from(at).unwrap_or(0).saturating_sub(l.lo))), "{name}.at");
            put!(row, parent.map_or(0.0, |l| ratio(l.sums.len, all.len)), "{name}.share");
            put!(row, parent.map_or(0.0, |l| ratio(l.sums.good, all.good)), "{name}.good_share");
            put!(row, parent.map_or(0.0, |l| ratio(l.sums.linked, l.sums.len)), "{name}.all_ld");
            let mean = parent.zip(level).map_or(0.0, |(p, l)| log(p.sums.len / l.count.max(1)));
            put!(row, mean, "{name}.mean_len");
            let items = level.map(|l| l.items).unwrap_or_default();
            put!(row, items.spread(), "{name}.spread");
            put!(row, ratio(items.with_link, items.filled), "{name}.with_link");
            put!(row, ratio(items.with_good, items.filled), "{name}.with_good");
            put!(row, level.map_or(0.0, |l| log(l.sums.links)), "{name}.links");
            let topic = level.map_or(0.0, |l| ratio(l.sums.in_title, l.sums.words) / page_topic);
            put!(row, topic, "{name}.topic");
            let topic = parent.map_or(0.0, |l| ratio(l.sums.in_title, l.sums.words) / page_topic);
            put!(row, topic, "{name}.all_topic");
        }
        // Containers at growing distance.
        let mut blocks_up = stack.iter().rev().filter(|l| dom.tag(l.node).breaks_text());
        let mut last = up;
        for step in 0..7 {
            last = blocks_up.next().unwrap_or(last);
            if step == 5 {
                continue;
            }
            put!(row, ratio(last.sums.good, all.good), "up{step}.good");
            put!(row, ratio(last.sums.linked, last.sums.len), "up{step}.ld");
            put!(row, log(last.hi - last.lo), "up{step}.blocks");
            put!(row, log(last.sums.len), "up{step}.len");
            put!(row, ratio(last.sums.good, last.sums.len), "up{step}.goodness");
            put!(row, 100.0 * ratio(last.sums.marks, last.sums.len), "up{step}.marks");
            put!(row, ratio(last.sums.in_title, last.sums.words) / page_topic, "up{step}.topic");
            put!(row, ratio(last.sums.in_description, last.sums.words) / page_description, "up{step}.description");
        }
        put!(row, f32::from(depth), "depth");
        // Like places.
        for (name, group) in [("tags", tag_groups[&block.tag_path]), ("classes", class_groups[&block.class_path])] {
            put!(row, log(group.count), "{name}.count");
            put!(row, log(group.len / group.count.max(1)), "{name}.mean_len");
            put!(row, ratio(group.linked, group.len), "{name}.ld");
            put!(row, ratio(group.good, all.good), "{name}.good_share");
            put!(row, ratio(group.good, group.len), "{name}.good");
            put!(row, ratio(group.len, all.len), "{name}.share");
            put!(row, 100.0 * ratio(group.marks, group.len), "{name}.marks");
        }
        // Where the good text is.
        put!(row, steps(dom, &top_path, id), "top.steps");
        put!(row, ratio(top_sums.good, all.good), "top.good");
        for (i, path) in share_paths.iter().enumerate() {
            put!(row, steps(dom, path, id), "holder{i}.steps");
        }
        neighbours(&mut row, dom, page, &prefix, at);
        let from_main = match (mains.first(), mains.last()) {
            (Some(&first), _) if at < first => -log(u32::try_from(first - at).unwrap_or(0)),
            (_, Some(&last)) if at > last => log(u32::try_from(at - last).unwrap_or(0)),
            _ => 0.0,
        };
        put!(row, from_main, "main.distance");
        put!(row, f32::from(u8::from(block.class_path == main_path)), "main.same");
        put!(row, steps(dom, &main_blocks, id), "main.steps");
        put!(row, ratio(main_good, all.good), "main.good");
        put!(row, log(u32::try_from(mains.len()).unwrap_or(0)), "main.count");
        let next_main = mains.partition_point(|&m| m < at);
        let gap = [next_main.checked_sub(1), Some(next_main)]
            .into_iter()
            .flatten()
            .filter_map(|i| mains.get(i))
            .map(|&m| m.abs_diff(at))
            .min();
        put!(row, gap.map_or(-1.0, |gap| log(u32::try_from(gap).unwrap_or(0))), "main.gap");
        put!(row, ratio(block.len, max_good.max(1)).min(2.0), "len.relative");
        let is_comment = up.kind[1] > 0 && up.kind[1] == up.repeated;
        put!(row, f32::from(u8::from(is_comment)), "item.comment");
        // Where it stands on the page.
        let (before, after) = (prefix.0[at], prefix.0[at + 1]);
        put!(row, ratio(u32::try_from(at).unwrap_or(0), u32::try_from(n).unwrap_or(1)), "at.block");
        put!(row, ratio(before.len, all.len), "at.len");
        put!(row, log(u32::try_from(at).unwrap_or(0)), "at.index");
        put!(row, ratio(before.good, all.good), "at.good_before");
        put!(row, ratio(all.good - after.good, all.good), "at.good_after");
        let from_title = title_at.map_or(0.0, |title| {
            if at >= title {
                log(u32::try_from(at - title).unwrap_or(0))
            } else {
                -log(u32::try_from(title - at).unwrap_or(0))
            }
        });
        put!(row, from_title, "title.distance");
        let title_good = title_at.map_or(-1.0, |title| {
            let (a, b) = (prefix.0[title.min(at)], prefix.0[title.max(at)]);
            ratio(b.good - a.good, all.good)
        });
        put!(row, title_good, "title.good_between");
        put!(row, title_at.map_or(-1.0, |title| f32::from(u8::from(at >= title))), "title.after");
        put!(row, title.map_or(-1.0, |(_, score)| score), "title.score");
        let step = title_path.partition_point(|&up| !dom.contains(up, id));
        put!(row, if title_path.is_empty() { -1.0 } else { ratio(u32::try_from(step).unwrap_or(0), 1) }, "title.steps");
        let shared = title_sums.get(step).copied().unwrap_or((0, Sums::default()));
        put!(row, log(shared.0), "title.shared_blocks");
        put!(row, ratio(shared.1.good, all.good), "title.shared_good");
        put!(row, ratio(shared.1.linked, shared.1.len), "title.shared_ld");
        if heading(dom, block) > 0 {
            last_heading = Some(at);
        }
        put!(row, last_heading.map_or(-1.0, |h| log(u32::try_from(at - h).unwrap_or(0))), "heading.since");
        put!(row, last_heading.map_or(0.0, |h| f32::from(heading(dom, &page.blocks[h]))), "heading.level");
        put!(
            row,
            if next_heading[at + 1] == u32::MAX {
                -1.0
            } else {
                log(next_heading[at + 1] - u32::try_from(at).unwrap_or(0))
            },
            "heading.until"
        );
        let section = Range {
            lo: u32::try_from(last_heading.unwrap_or(0)).unwrap_or(0),
            hi: next_heading[at + 1].min(u32::try_from(n).unwrap_or(0)),
        };
        let sums = prefix.of(&section);
        put!(row, ratio(sums.good, all.good), "section.good");
        put!(row, ratio(sums.linked, sums.len), "section.ld");
        put!(row, log(sums.len), "section.len");
        put!(row, ratio(sums.in_title, sums.words) / page_topic, "section.topic");
        // The page.
        put!(row, log(u32::try_from(n).unwrap_or(0)), "page.blocks");
        put!(row, log(all.len), "page.len");
        put!(row, ratio(all.good, all.len), "page.good");
        put!(row, log(all.good), "page.good_len");
        put!(row, ratio(all.linked, all.len), "page.ld");
        put!(row, log(max_len), "page.max_len");
        put!(row, log(max_good), "page.max_good");
        put!(row, ratio(max_good, all.good), "page.max_share");
        put!(row, log(all.good_blocks), "page.good_blocks");
        put!(row, ratio(top_sums.good, all.good), "page.top_share");
        put!(row, log(headings), "page.headings");
        put!(row, log(paragraphs), "page.paragraphs");
        put!(row, ratio(comment_good, all.good), "page.comments_so_far");
        for (name, value) in [
            ("article", types.article),
            ("product", types.product),
            ("discussion", types.discussion),
            ("listing", types.listing),
            ("documentation", types.documentation),
            ("service", types.service),
            ("organization", types.organization),
            ("website", types.website),
            ("web_page", types.web_page),
            ("entity", types.entity),
        ] {
            put!(row, f32::from(u8::from(value)), "page.{name}");
        }
        let width = (WIDEST - row.places.len() + extra).min(WIDEST);
        names = None;
        values.extend_from_slice(&places[..width]);
        if at == 0 {
            values.reserve_exact(values.len() * (n.min(BATCH) - 1));
        }
        at += 1;
        if at.is_multiple_of(BATCH) {
            take(&mut values);
            values.clear();
        }
    }
    if !values.is_empty() {
        take(&mut values);
    }
}

fn enter<'a>(
    dom: &'a Dom,
    page: &Page,
    prefix: &Prefix,
    stack: &[Level],
    memo: &mut FxHashMap<&'a str, u32>,
    id: NodeId,
    at: usize,
) -> Level {
    let tag = dom.tag(id);
    let end = dom.end(id);
    let lo = u32::try_from(at).unwrap_or(u32::MAX);
    let hi = match stack.last() {
        // The only child of its kind spans the same blocks.
        Some(up) if page.blocks.get(up.hi as usize - 1).is_some_and(|last| last.first < end) => up.hi,
        Some(up) => {
            let inner = &page.blocks[at..up.hi as usize];
            lo + u32::try_from(inner.partition_point(|b| b.first < end)).unwrap_or(0)
        }
        None => range(dom, page, id).hi,
    };
    let mut level = match stack.last() {
        Some(up) => *up,
        None => Level {
            node: id,
            end,
            kind: [0; K],
            zone: [0; Z],
            repeated: 0,
            outer_repeated: 0,
            sums: Sums::default(),
            lo,
            hi,
            count: 0,
            items: Items::default(),
        },
    };
    (level.node, level.end, level.lo, level.hi, level.count) = (id, end, lo, hi, 1);
    level.sums = prefix.of(&Range { lo, hi });
    let depth = u16::try_from(stack.len() + 1).unwrap_or(u16::MAX);
    if let Some(zone) = ZONE_OF[tag.number()] {
        level.zone[usize::from(zone)] = depth;
    }
    let mut mask = 0;
    if !matches!(tag, Tag::HTML | Tag::BODY) {
        for attr in [Attr::CLASS, Attr::ID, Attr::ITEMPROP, Attr::ROLE] {
            if let Some(value) = dom.attr(id, attr) {
                mask |= *memo.entry(value).or_insert_with(|| kinds(value));
            }
        }
    }
    if mask != 0 {
        for (i, slot) in level.kind.iter_mut().enumerate() {
            if mask & (1 << i) != 0 {
                *slot = depth;
            }
        }
    }
    let parent = dom.parent(id).unwrap_or(id);
    let count = if tag.breaks_text() || matches!(tag, Tag::A | Tag::SPAN | Tag::OTHER) {
        page.siblings.get(&(parent, key(dom, id))).copied().unwrap_or_default()
    } else {
        Items::default()
    };
    level.items = count;
    if count.filled >= 3 {
        level.count = count.filled;
        level.repeated = depth;
        if level.outer_repeated == 0 {
            level.outer_repeated = depth;
        }
    }
    level
}

fn own(row: &mut Row<'_>, dom: &Dom, page: &Page, block: &Block, hashes: &FxHashMap<u64, u32>) {
    let tag = dom.tag(block.container);
    put!(row, log(block.len), "len");
    put!(row, log(block.words), "words");
    put!(row, ratio(block.len, block.words), "word_len");
    put!(row, block.link_density(), "ld");
    put!(row, log(block.links), "links");
    put!(row, log(block.stops), "stops");
    put!(row, 100.0 * ratio(block.stops, block.len), "stop_rate");
    put!(row, 100.0 * ratio(block.commas, block.len), "comma_rate");
    put!(row, ratio(block.digits, block.len), "digits");
    put!(row, ratio(block.capitals, block.len), "capitals");
    let flag = |b: bool| f32::from(u8::from(b));
    let is_stop =
        matches!(block.last, '.' | '!' | '?' | '。' | '！' | '？' | '؟' | '۔' | '।' | '"' | '”' | '»' | '」' | '』');
    put!(row, flag(is_stop), "ends.stop");
    put!(row, flag(matches!(block.last, ':' | '：')), "ends.colon");
    put!(row, flag(matches!(block.last, '…' | '»' | '›' | '→' | '>')), "ends.more");
    put!(row, flag(!block.head.is_alphanumeric()), "head.mark");
    put!(row, flag(block.head.is_numeric()), "head.digit");
    put!(row, flag(block.head.is_lowercase()), "head.lower");
    put!(row, flag(block.marks & COPYRIGHT != 0), "copyright");
    put!(row, flag(block.marks & AT != 0), "at_sign");
    put!(row, flag(block.marks & BAR != 0), "bar");
    put!(row, ratio(block.in_title, block.words), "title.precision");
    put!(row, ratio(block.in_title, u32::try_from(page.title_words).unwrap_or(1)).min(2.0), "title.recall");
    put!(row, ratio(block.in_description, block.words), "description.precision");
    put!(
        row,
        ratio(block.in_description, u32::try_from(page.description_words).unwrap_or(1)).min(2.0),
        "description.recall"
    );
    put!(row, log(hashes.get(&block.hash).copied().unwrap_or(1)), "copies");
    put!(row, flag(tag == Tag::P), "is.p");
    put!(row, flag(tag == Tag::LI), "is.li");
    put!(row, flag(matches!(tag, Tag::TD | Tag::TH)), "is.cell");
    put!(row, flag(tag == Tag::TR), "is.row");
    put!(row, f32::from(heading(dom, block)), "is.heading");
    put!(row, flag(matches!(tag, Tag::DIV | Tag::SECTION | Tag::ARTICLE | Tag::BODY | Tag::CENTER)), "is.div");
    put!(row, flag(tag == Tag::PRE), "is.pre");
    put!(row, flag(matches!(tag, Tag::DT | Tag::DD)), "is.definition");
    put!(row, log(block.texts.end - block.texts.start), "pieces");
}

fn neighbours(row: &mut Row<'_>, dom: &Dom, page: &Page, prefix: &Prefix, at: usize) {
    let block = &page.blocks[at];
    for (name, other) in
        [("prev2", at.checked_sub(2)), ("prev", at.checked_sub(1)), ("next", Some(at + 1)), ("next2", Some(at + 2))]
    {
        let other = other.and_then(|i| page.blocks.get(i));
        put!(row, other.map_or(-1.0, |o| log(o.len)), "{name}.len");
        put!(row, other.map_or(-1.0, Block::link_density), "{name}.ld");
        put!(row, other.map_or(-1.0, |o| 100.0 * ratio(o.stops + o.commas, o.len)), "{name}.marks");
        put!(row, other.map_or(-1.0, |o| f32::from(u8::from(o.class_path == block.class_path))), "{name}.same");
        put!(row, other.map_or(-1.0, |o| f32::from(heading(dom, o))), "{name}.heading");
    }
    for width in [4_usize, 12] {
        let range = Range {
            lo: u32::try_from(at.saturating_sub(width)).unwrap_or(0),
            hi: u32::try_from((at + width + 1).min(page.blocks.len())).unwrap_or(0),
        };
        let sums = prefix.of(&range);
        put!(row, ratio(sums.good, sums.len), "window{width}.good");
        put!(row, log(sums.good), "window{width}.good_len");
        put!(row, ratio(sums.linked, sums.len), "window{width}.ld");
        put!(row, ratio(sums.in_title, sums.words), "window{width}.topic");
        put!(row, ratio(sums.in_description, sums.words), "window{width}.description");
    }
}
