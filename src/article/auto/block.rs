//! [`blocks`]: a page cut into the pieces that are kept or dropped whole.

use crate::dom::{Attr, Dom, NodeId, Tag};
use aho_corasick::AhoCorasick;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::LazyLock;

/// A maximal run of visible text between block boundaries: a paragraph, heading, item, cell or caption. A single `br` is a
/// line end inside it, two are a boundary; a row of a data table is one block.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Its text nodes, as a range of [`Page::texts`].
    pub(super) texts: Range<u32>,
    /// The first of them.
    pub(super) first: NodeId,
    /// The lowest block element around it.
    pub(super) container: NodeId,
    /// Length in characters; one of a script without blanks counts as three.
    pub(super) len: u32,
    /// Of that, inside links.
    pub(super) linked: u32,
    /// Words; a character of a script without blanks is one.
    pub(super) words: u32,
    /// Ends of sentences, and commas and their like.
    pub(super) stops: u32,
    pub(super) commas: u32,
    pub(super) digits: u32,
    pub(super) capitals: u32,
    /// Links that begin in it.
    pub(super) links: u32,
    /// Words that the page's title and description hold.
    pub(super) in_title: u32,
    pub(super) in_description: u32,
    /// Last and first character.
    pub(super) last: char,
    pub(super) head: char,
    /// Single marks: `©`, `@`, `|`.
    pub(super) marks: u8,
    /// Hash of the words.
    pub(super) hash: u64,
    /// Hash of the tags, and of tags and classes, from the root to the container.
    pub(super) tag_path: u64,
    pub(super) class_path: u64,
}

pub(super) const COPYRIGHT: u8 = 1;
pub(super) const AT: u8 = 2;
pub(super) const BAR: u8 = 4;

impl Block {
    /// Whether it reads like prose: long, with punctuation, hardly linked. The longer it is the less it may be doubted.
    pub(super) fn is_good(&self) -> bool {
        self.len >= 80 && self.linked * 20 < self.len * 7 && self.stops + self.commas > 0
    }

    /// Share of its text that is linked, 0 to 1.
    pub(super) fn link_density(&self) -> f32 {
        ratio(self.linked, self.len)
    }
}

#[allow(clippy::cast_precision_loss, reason = "features need no more than 24 bits")]
pub(super) fn ratio(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { part as f32 / whole as f32 }
}

/// The blocks of a page and what was counted on the way.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Visible text nodes that hold more than blanks, in document order.
    pub(super) texts: Vec<NodeId>,
    pub(super) blocks: Vec<Block>,
    /// Children of one parent with equal tag and class, by parent and [`key`].
    pub(super) siblings: FxHashMap<(NodeId, u64), Items>,
    /// Distinct words of title and description.
    pub(super) title_words: usize,
    pub(super) description_words: usize,
    /// Boxes over the page, whose text is in no block.
    pub(super) overlays: Vec<NodeId>,
}

impl Page {
    /// The text nodes of a block.
    pub(super) fn nodes(&self, block: &Block) -> impl Iterator<Item = NodeId> {
        self.texts[block.texts.start as usize..block.texts.end as usize].iter().copied()
    }
}

/// Elements of one kind below one parent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Items {
    pub(super) count: u32,
    /// Of these, how many hold text, a link, prose.
    pub(super) filled: u32,
    pub(super) with_link: u32,
    pub(super) with_good: u32,
    /// Sums of length and its square.
    pub(super) len: f32,
    pub(super) square: f32,
}

impl Items {
    /// How unlike the items are in length: standard deviation over mean.
    pub(super) fn spread(&self) -> f32 {
        let n = ratio(self.filled, 1).max(1.0);
        let mean = self.len / n;
        if mean <= 0.0 { 0.0 } else { (self.square / n - mean * mean).max(0.0).sqrt() / mean }
    }
}

/// What tells an element from its siblings: tag and class, digits as one.
pub(super) fn key(dom: &Dom, id: NodeId) -> u64 {
    let mut hasher = FxHasher::default();
    dom.tag(id).hash(&mut hasher);
    if let Some(class) = dom.attr(id, Attr::CLASS) {
        if class.bytes().any(|b| b.is_ascii_digit()) {
            for b in class.bytes() {
                hasher.write_u8(if b.is_ascii_digit() { b'0' } else { b });
            }
        } else {
            hasher.write(class.as_bytes());
        }
    }
    hasher.finish()
}

fn chain(outer: u64, inner: u64) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u64(outer);
    hasher.write_u64(inner);
    hasher.finish()
}

/// An open element.
struct Open {
    end: NodeId,
    /// The lowest block element at or above it.
    container: NodeId,
    /// Inside a row that is one block.
    in_row: bool,
    linked: bool,
    tag_path: u64,
    class_path: u64,
    /// What it is counted as among its siblings.
    item: Option<(NodeId, u64)>,
    /// Blocks before it.
    blocks: usize,
}

impl Block {
    /// A block without text yet.
    fn begin(index: u32, first: NodeId, up: &Open) -> Self {
        Self {
            texts: index..index,
            first,
            container: up.container,
            len: 0,
            linked: 0,
            words: 0,
            stops: 0,
            commas: 0,
            digits: 0,
            capitals: 0,
            links: 0,
            in_title: 0,
            in_description: 0,
            last: ' ',
            head: ' ',
            marks: 0,
            hash: 0,
            tag_path: up.tag_path,
            class_path: up.class_path,
        }
    }
}

/// Counts an element that ends among its siblings.
fn close(page: &mut Page, open: &Open) {
    let Some(item) = open.item else { return };
    let inner = &page.blocks[open.blocks.min(page.blocks.len())..];
    let items = page.siblings.entry(item).or_default();
    items.count += 1;
    if inner.is_empty() {
        return;
    }
    let len: u32 = inner.iter().map(|b| b.len).sum();
    items.filled += 1;
    items.with_link += u32::from(open.linked || inner.iter().any(|b| b.links > 0));
    items.with_good += u32::from(inner.iter().any(Block::is_good));
    items.len += ratio(len, 1);
    items.square += ratio(len, 1) * ratio(len, 1);
}

/// Cuts a page into blocks, without the boxes that lie over it, unless it has hardly anything else. Time linear in the page.
pub(super) fn blocks(dom: &Dom, title: &str, description: &str) -> Page {
    let (title, description) = (word_set(title), word_set(description));
    let overlays = overlays(dom);
    let page = blocks_beside(dom, &title, &description, &overlays);
    let enough = page.blocks.iter().filter(|block| block.linked * 2 < block.len).map(|block| block.len).sum::<u32>();
    if overlays.is_empty() || enough >= LEAST_BESIDE_OVERLAYS {
        return page;
    }
    blocks_beside(dom, &title, &description, &[])
}

/// Length of hardly linked text from which on a page has something beside a box that lies over it.
const LEAST_BESIDE_OVERLAYS: u32 = 80;

/// The boxes that lie over a page until they are answered: dialogs, and elements that name cookies or consent and have a
/// button. In document order, none inside another. Time linear in the page: an element is looked into only if it is outside
/// all that was looked into.
fn overlays(dom: &Dom) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut until = dom.root();
    for id in dom.ids() {
        if id < until || matches!(dom.tag(id), Tag::TEXT | Tag::DOCUMENT | Tag::HTML | Tag::BODY) {
            continue;
        }
        let is_dialog = dom.attr(id, Attr::ROLE).is_some_and(|role| role == "dialog" || role == "alertdialog");
        let mut names = [Attr::CLASS, Attr::ID].into_iter().filter_map(|attr| dom.attr(id, attr));
        if !is_dialog && !names.any(|name| CONSENT.is_match(name)) {
            continue;
        }
        until = dom.end(id);
        if is_dialog || dom.subtree(id).any(|inner| matches!(dom.tag(inner), Tag::BUTTON | Tag::INPUT)) {
            found.push(id);
        }
    }
    found
}

/// What names of such boxes have in them.
static CONSENT: LazyLock<AhoCorasick> = LazyLock::new(|| {
    let stems = ["cookie", "consent", "gdpr"];
    AhoCorasick::builder().ascii_case_insensitive(true).build(stems).expect("the stems are short and few")
});

fn blocks_beside(dom: &Dom, title: &FxHashSet<u64>, description: &FxHashSet<u64>, overlays: &[NodeId]) -> Page {
    let mut page = Page {
        texts: Vec::new(),
        blocks: Vec::new(),
        siblings: FxHashMap::default(),
        title_words: title.len(),
        description_words: description.len(),
        overlays: overlays.to_vec(),
    };
    let mut overlays = overlays.iter().copied().peekable();
    let mut open = vec![Open {
        end: dom.end(dom.root()),
        container: dom.root(),
        in_row: false,
        linked: false,
        tag_path: 0,
        class_path: 0,
        item: None,
        blocks: 0,
    }];
    // Since the last text: line ends, and whether a boundary was crossed.
    let mut breaks = 0;
    let mut boundary = true;
    let mut links = 0;
    let mut skip_to = dom.root();
    for id in dom.ids() {
        if id < skip_to {
            continue;
        }
        while open.len() > 1 && open.last().is_some_and(|o| id >= o.end) {
            if let Some(ended) = open.pop() {
                close(&mut page, &ended);
            }
        }
        let Some(up) = open.last() else { break };
        while overlays.next_if(|&over| over < id).is_some() {}
        if dom.is_hidden(id) || overlays.next_if_eq(&id).is_some() {
            skip_to = dom.end(id);
            continue;
        }
        let tag = dom.tag(id);
        if tag == Tag::TEXT {
            let text = dom.text(id);
            if text.bytes().all(|b| b.is_ascii_whitespace()) {
                continue;
            }
            let index = u32::try_from(page.texts.len()).unwrap_or(u32::MAX - 1);
            let continues =
                !boundary && breaks < 2 && page.blocks.last().is_some_and(|block| block.container == up.container);
            if !continues {
                page.blocks.push(Block::begin(index, id, up));
            }
            page.texts.push(id);
            if let Some(block) = page.blocks.last_mut() {
                block.texts.end = index + 1;
                block.links += links;
                count(block, text, up.linked, title, description);
            }
            (breaks, boundary, links) = (0, false, 0);
            continue;
        }
        if tag == Tag::BR {
            breaks += 1;
            continue;
        }
        let linked = up.linked || (tag == Tag::A && dom.attr(id, Attr::HREF).is_some());
        links += u32::from(linked && !up.linked);
        let block = dom.breaks_text(id);
        let starts = block && !up.in_row;
        boundary |= starts;
        let end = dom.end(id);
        if end.index() == id.index() + 1 {
            continue;
        }
        let mut next = Open { end, linked, item: None, blocks: page.blocks.len(), ..*up };
        if starts {
            next.container = id;
            next.in_row = tag == Tag::TR && is_data_row(dom, id);
        }
        if block || tag == Tag::OTHER || tag == Tag::SPAN || tag == Tag::A {
            let key = key(dom, id);
            if block {
                next.tag_path = chain(up.tag_path, tag_number(tag));
                next.class_path = chain(up.class_path, key);
            }
            let parent = dom.parent(id).unwrap_or(id);
            next.item = Some((parent, key));
        }
        open.push(next);
    }
    while let Some(ended) = open.pop() {
        close(&mut page, &ended);
    }
    page
}

fn tag_number(tag: Tag) -> u64 {
    let mut hasher = FxHasher::default();
    tag.hash(&mut hasher);
    hasher.finish()
}

/// Longest cell of a data row, in bytes.
const MAX_CELL: usize = 240;

/// A row of two or more short cells without block elements in them.
fn is_data_row(dom: &Dom, row: NodeId) -> bool {
    let mut cells = 0;
    for cell in dom.children(row) {
        if !matches!(dom.tag(cell), Tag::TD | Tag::TH) {
            continue;
        }
        if dom.text(cell).len() > MAX_CELL || dom.is_hidden(cell) {
            return false;
        }
        if dom.subtree(cell).skip(1).any(|id| dom.breaks_text(id) && dom.tag(id) != Tag::BR) {
            return false;
        }
        cells += 1;
    }
    cells >= 2
}

/// The kind of a character.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Letter,
    Capital,
    Digit,
    /// A character of a script without blanks.
    Wide,
    Stop,
    Comma,
    Other,
}

const ASCII: [Class; 128] = {
    let mut table = [Class::Other; 128];
    let mut i = 0_u8;
    while i < 128 {
        table[i as usize] = match i {
            b' ' | b'\t'..=b'\r' => Class::Space,
            b'a'..=b'z' => Class::Letter,
            b'A'..=b'Z' => Class::Capital,
            b'0'..=b'9' => Class::Digit,
            b'.' | b'!' | b'?' => Class::Stop,
            b',' | b';' => Class::Comma,
            _ => Class::Other,
        };
        i += 1;
    }
    table
};

fn class(c: char) -> Class {
    let code = u32::from(c);
    if code < 128 {
        return ASCII[code as usize];
    }
    match code {
        0x3002 | 0xFF01 | 0xFF1F | 0xFF0E | 0xFF61 | 0x061F | 0x06D4 | 0x0964 | 0x0965 | 0x1362 | 0x2026 => Class::Stop,
        0xFF0C | 0x3001 | 0xFF1B | 0x060C | 0x061B | 0xFF64 | 0x1363 => Class::Comma,
        0x2E80..=0x2FDF
        | 0x3005..=0x30FF
        | 0x3100..=0x312F
        | 0x31A0..=0x31BF
        | 0x31F0..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9D
        | 0x20000..=0x3FFFF
        | 0x0E00..=0x0EFF
        | 0x1000..=0x109F
        | 0x1780..=0x17FF => Class::Wide,
        0xA0 | 0x2000..=0x200B | 0x2028 | 0x2029 | 0x202F | 0x3000 | 0xFEFF | 0xAD => Class::Space,
        0xC0..=0x24F | 0x370..=0x52F | 0x1E00..=0x1FFF => {
            if c.is_uppercase() {
                Class::Capital
            } else {
                Class::Letter
            }
        }
        0xA1..=0xBF | 0x2010..=0x206F | 0x2190..=0x2BFF | 0x3003..=0x303F | 0xFF00..=0xFF65 | 0xE000..=0xF8FF => {
            Class::Other
        }
        _ => Class::Letter,
    }
}

/// Words of a text, as hashes.
fn words(text: &str, mut each: impl FnMut(u64, bool)) {
    let mut hash = 0_u64;
    for c in text.chars() {
        match class(c) {
            Class::Letter | Class::Capital | Class::Digit => hash = step(hash, c),
            Class::Wide => {
                if hash != 0 {
                    each(hash, false);
                }
                each(step(0, c), true);
                hash = 0;
            }
            _ => {
                if hash != 0 {
                    each(hash, false);
                }
                hash = 0;
            }
        }
    }
    if hash != 0 {
        each(hash, false);
    }
}

fn step(hash: u64, c: char) -> u64 {
    let c = if c.is_ascii() { c.to_ascii_lowercase() } else { lower(c) };
    (hash.rotate_left(5) ^ u64::from(u32::from(c))).wrapping_mul(0x517c_c1b7_2722_0a95) | 1
}

fn lower(c: char) -> char {
    let mut all = c.to_lowercase();
    let first = all.next().unwrap_or(c);
    if all.next().is_some() { c } else { first }
}

pub(super) fn word_set(text: &str) -> FxHashSet<u64> {
    let mut set = FxHashSet::default();
    words(text, |word, _| {
        set.insert(word);
    });
    set
}

fn count(block: &mut Block, text: &str, linked: bool, title: &FxHashSet<u64>, description: &FxHashSet<u64>) {
    let mut len = 0_u32;
    let mut word = 0_u64;
    let end_word = |word: u64, block: &mut Block| {
        block.words += 1;
        block.in_title += u32::from(title.contains(&word));
        block.in_description += u32::from(description.contains(&word));
        block.hash = chain(block.hash, word);
    };
    let mut last = None;
    // A full stop ends a sentence before a blank only: not in a number, an address or a name of a file.
    let mut stop = false;
    for c in text.chars() {
        let class = class(c);
        if class == Class::Space || !c.is_ascii() {
            block.stops += u32::from(stop);
        }
        stop = class == Class::Stop && c.is_ascii();
        match class {
            Class::Space => {
                if word != 0 {
                    end_word(word, block);
                    word = 0;
                }
                continue;
            }
            Class::Letter => word = step(word, c),
            Class::Capital => {
                block.capitals += 1;
                word = step(word, c);
            }
            Class::Digit => {
                block.digits += 1;
                word = step(word, c);
            }
            _ => {
                if word != 0 {
                    end_word(word, block);
                    word = 0;
                }
                match class {
                    Class::Wide => {
                        end_word(step(0, c), block);
                        len += 2;
                    }
                    Class::Stop => block.stops += u32::from(!c.is_ascii()),
                    Class::Comma => block.commas += 1,
                    _ => match c {
                        '©' => block.marks |= COPYRIGHT,
                        '@' => block.marks |= AT,
                        '|' => block.marks |= BAR,
                        _ => {}
                    },
                }
            }
        }
        len += 1;
        if last.is_none() && block.head == ' ' {
            block.head = c;
        }
        last = Some(c);
    }
    if word != 0 {
        end_word(word, block);
    }
    block.stops += u32::from(stop);
    block.len += len;
    if linked {
        block.linked += len;
    }
    if let Some(last) = last {
        block.last = last;
    }
}
