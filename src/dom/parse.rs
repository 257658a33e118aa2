//! Text to tree, as browsers do it. The only file that names the HTML parser.
//!
//! The parser's own algorithm is quadratic on some hostile input: it scans the stack of open elements for most tags, and
//! it copies all unclosed formatting elements into every new block. [`Guard`] keeps both bounded: tags deeper than
//! [`MAX_DEPTH`] are left out (their text stays), and a page whose tree grows far beyond its tags is parsed again without
//! formatting elements.

use super::flatten::{NONE, RawNode, RawTree, flatten};
use super::{Attr, Dom, Tag};
use html5ever::TokenizerResult;
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::{Cell, Ref, RefCell};

/// Open elements at most; browsers stop at 512 as well.
const MAX_DEPTH: u32 = 512;
/// Bytes of text that are parsed at most (the parser counts in 32 bits); no real page comes near.
const MAX_BYTES: usize = 1 << 30;

impl Dom {
    /// Parses a page. Never fails: any text gives some tree. Time linear in the text, memory some five times its bytes.
    ///
    /// ```
    /// use wisdom::dom::{Dom, Tag};
    /// let dom = Dom::parse("<p>One<p>Two <b>bold");
    /// let paragraphs: Vec<_> = dom.ids().filter(|&id| dom.tag(id) == Tag::P).map(|id| dom.text(id)).collect();
    /// assert_eq!(paragraphs, ["One", "Two bold"]);
    /// ```
    pub fn parse(html: &str) -> Self {
        let all = html.len();
        let mut end = all.min(MAX_BYTES);
        while !html.is_char_boundary(end) {
            end -= 1;
        }
        let html = without_attribute_floods(&html[..end]);
        let tree = build(&html, false).unwrap_or_else(|| build(&html, true).unwrap_or_default());
        let mut dom = flatten(tree);
        dom.truncated |= end < all;
        dom
    }
}

/// Attributes of one tag at most. The tokenizer compares each attribute with all before it.
const MAX_ATTRIBUTES: usize = 10_000;

/// The page without what stands behind the first [`MAX_ATTRIBUTES`] attributes of a tag. Borrows where no tag has so many.
/// Time linear in the page.
fn without_attribute_floods(html: &str) -> Cow<'_, str> {
    let bytes = html.as_bytes();
    let mut kept = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(|&b| b == b'<').map(|found| at + found) {
        at = start + 1;
        if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
            continue;
        }
        let (mut blanks, mut quote, mut cut) = (0, None, None);
        let mut end = at;
        while let Some(&b) = bytes.get(end) {
            match quote {
                Some(open) if b == open => quote = None,
                Some(_) => {}
                None if b == b'>' => break,
                None if b == b'"' || b == b'\'' => quote = Some(b),
                None if b.is_ascii_whitespace() || b == b'/' => {
                    blanks += usize::from(!bytes[end - 1].is_ascii_whitespace());
                    if blanks == MAX_ATTRIBUTES {
                        cut.get_or_insert(end);
                    }
                }
                None => {}
            }
            end += 1;
        }
        if let Some(cut) = cut {
            kept.push_str(&html[copied..cut]);
            copied = end;
        }
        at = end;
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    kept.push_str(&html[copied..]);
    Cow::Owned(kept)
}

/// `None`: the tree outgrew the page.
fn build(html: &str, plain: bool) -> Option<RawTree> {
    let sink = Sink::new();
    let opts = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
    let guard = Guard {
        tree: TreeBuilder::new(sink, opts),
        plain,
        tags: Cell::new(0),
        overgrown: Cell::new(false),
        left_out: RefCell::default(),
        left_out_total: Cell::new(0),
    };
    let tokenizer = Tokenizer::new(guard, TokenizerOpts::default());
    let queue = BufferQueue::default();
    queue.push_back(StrTendril::from_slice(html));
    while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
    tokenizer.end();
    let guard = tokenizer.sink;
    (plain || !guard.overgrown.get()).then(|| guard.tree.sink.tree.into_inner())
}

/// Stands between tokenizer and tree builder.
struct Guard {
    tree: TreeBuilder<u32, Sink>,
    /// Leave out formatting elements.
    plain: bool,
    tags: Cell<usize>,
    overgrown: Cell<bool>,
    /// Start tags left out, by name, whose end tags are to be left out too.
    left_out: RefCell<FxHashMap<LocalName, u32>>,
    left_out_total: Cell<u32>,
}

impl Guard {
    /// Whether the tree builder shall not see the tag.
    fn leaves_out(&self, tag: &html5ever::tokenizer::Tag) -> bool {
        match tag.kind {
            TagKind::StartTag => {
                self.tags.set(self.tags.get() + 1);
                if self.plain && is_formatting(&tag.name) {
                    return true;
                }
                let deep = self.tree.sink.depth.get() > MAX_DEPTH && !is_leaf(&tag.name);
                if deep {
                    *self.left_out.borrow_mut().entry(tag.name.clone()).or_insert(0) += 1;
                    self.left_out_total.set(self.left_out_total.get() + 1);
                }
                deep
            }
            TagKind::EndTag => {
                if self.plain && is_formatting(&tag.name) {
                    return true;
                }
                if self.left_out_total.get() == 0 {
                    return false;
                }
                match self.left_out.borrow_mut().get_mut(&tag.name) {
                    Some(count) if *count > 0 => {
                        *count -= 1;
                        self.left_out_total.set(self.left_out_total.get() - 1);
                        true
                    }
                    _ => false,
                }
            }
        }
    }
}

/// Tags that change how the text behind them is read, or that never hold others: these cannot be left out, and cannot
/// make a tree deep.
fn is_leaf(name: &str) -> bool {
    matches!(
        name,
        "script"
            | "style"
            | "title"
            | "textarea"
            | "xmp"
            | "iframe"
            | "noembed"
            | "noframes"
            | "plaintext"
            | "br"
            | "hr"
            | "img"
            | "input"
            | "meta"
            | "link"
            | "wbr"
            | "area"
            | "base"
            | "col"
            | "embed"
            | "param"
            | "source"
            | "track"
    )
}

/// The elements that the parser opens again in every block until they are closed; `a` closes itself.
fn is_formatting(name: &str) -> bool {
    matches!(
        name,
        "b" | "big" | "code" | "em" | "font" | "i" | "nobr" | "s" | "small" | "strike" | "strong" | "tt" | "u"
    )
}

impl TokenSink for Guard {
    type Handle = u32;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<u32> {
        if self.overgrown.get() {
            return TokenSinkResult::Continue;
        }
        if let Token::TagToken(tag) = &token {
            if self.leaves_out(tag) {
                return TokenSinkResult::Continue;
            }
            let sink = &self.tree.sink;
            let work = sink.tree.borrow().nodes.len() + sink.moved.get();
            if !self.plain && work > 20_000 + 16 * self.tags.get() {
                self.overgrown.set(true);
            }
        }
        self.tree.process_token(token, line)
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.tree.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// The tree under construction. Handles are indices into `tree.nodes`.
struct Sink {
    tree: RefCell<RawTree>,
    names: RefCell<Vec<QualName>>,
    tags: RefCell<FxHashMap<LocalName, Tag>>,
    /// Depth of the open element that was last appended to or left.
    depth: Cell<u32>,
    /// Depth of each node when it was appended.
    depths: RefCell<Vec<u32>>,
    /// Children moved from parent to parent.
    moved: Cell<usize>,
}

impl Sink {
    fn new() -> Self {
        let sink = Self {
            tree: RefCell::default(),
            names: RefCell::default(),
            tags: RefCell::default(),
            depth: Cell::new(0),
            depths: RefCell::default(),
            moved: Cell::new(0),
        };
        sink.add(Tag::DOCUMENT, QualName::new(None, Namespace::default(), LocalName::default()));
        sink
    }

    fn add(&self, tag: Tag, name: QualName) -> u32 {
        self.names.borrow_mut().push(name);
        self.depths.borrow_mut().push(0);
        self.tree.borrow_mut().add(RawNode::new(tag))
    }

    fn enter(&self, parent: u32, child: u32) {
        let mut depths = self.depths.borrow_mut();
        let depth = depths[parent as usize];
        depths[child as usize] = depth + 1;
        self.depth.set(depth);
    }

    fn insert(&self, parent: u32, before: u32, child: NodeOrText<u32>) {
        match child {
            NodeOrText::AppendNode(node) => {
                self.tree.borrow_mut().insert(parent, before, node);
                self.enter(parent, node);
            }
            NodeOrText::AppendText(text) => {
                if let Some(node) = self.tree.borrow_mut().insert_text(parent, before, &text) {
                    self.names.borrow_mut().push(QualName::new(None, Namespace::default(), LocalName::default()));
                    self.depths.borrow_mut().push(0);
                    debug_assert_eq!(self.names.borrow().len(), node as usize + 1);
                }
            }
        }
    }
}

/// An element's name, borrowed from the sink.
#[derive(Debug)]
struct NameRef<'a>(Ref<'a, QualName>);

impl ElemName for NameRef<'_> {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }
    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = u32;
    type Output = RawTree;
    type ElemName<'a> = NameRef<'a>;

    fn finish(self) -> RawTree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> u32 {
        0
    }

    fn elem_name<'a>(&'a self, target: &'a u32) -> NameRef<'a> {
        NameRef(Ref::map(self.names.borrow(), |names| &names[*target as usize]))
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _flags: ElementFlags) -> u32 {
        let tag = *self
            .tags
            .borrow_mut()
            .entry(name.local.clone())
            .or_insert_with(|| Tag::from_name(&name.local.to_ascii_lowercase()));
        let node = self.add(tag, name);
        self.tree.borrow_mut().nodes[node as usize].attrs = kept(attrs);
        node
    }

    fn create_comment(&self, _text: StrTendril) -> u32 {
        // A second document node: flattening leaves it out.
        self.add(Tag::DOCUMENT, QualName::new(None, Namespace::default(), LocalName::default()))
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> u32 {
        drop(data);
        self.create_comment(target)
    }

    fn append(&self, parent: &u32, child: NodeOrText<u32>) {
        self.insert(*parent, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &u32, previous: &u32, child: NodeOrText<u32>) {
        let parent = self.tree.borrow().nodes[*element as usize].parent;
        if parent == NONE {
            self.insert(*previous, NONE, child);
        } else {
            self.insert(parent, *element, child);
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn pop(&self, node: &u32) {
        let depth = self.depths.borrow()[*node as usize];
        self.depth.set(depth.saturating_sub(1));
    }

    fn get_template_contents(&self, target: &u32) -> u32 {
        *target
    }

    fn same_node(&self, x: &u32, y: &u32) -> bool {
        x == y
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &u32, new: NodeOrText<u32>) {
        let parent = self.tree.borrow().nodes[*sibling as usize].parent;
        if parent == NONE {
            return;
        }
        if let NodeOrText::AppendNode(node) = &new {
            self.tree.borrow_mut().detach(*node);
        }
        self.insert(parent, *sibling, new);
    }

    fn add_attrs_if_missing(&self, target: &u32, attrs: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        let own = &mut tree.nodes[*target as usize].attrs;
        for (attr, value) in kept(attrs) {
            if own.iter().all(|(known, _)| *known != attr) {
                own.push((attr, value));
            }
        }
    }

    fn remove_from_parent(&self, target: &u32) {
        self.tree.borrow_mut().detach(*target);
    }

    fn reparent_children(&self, node: &u32, new_parent: &u32) {
        let moved = self.tree.borrow_mut().move_children(*node, *new_parent);
        self.moved.set(self.moved.get() + moved);
    }
}

fn kept(attrs: Vec<Attribute>) -> Vec<(Attr, Box<str>)> {
    attrs
        .into_iter()
        .filter_map(|attribute| Attr::from_name(&attribute.name.local).map(|attr| (attr, Box::from(&*attribute.value))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    fn outline(html: &str) -> String {
        let dom = Dom::parse(html);
        let mut out = String::new();
        for id in dom.ids().skip(1) {
            let depth = dom.ancestors(id).count() - 1;
            let hidden = if dom.is_hidden(id) { "~" } else { "" };
            let text = if dom.is_text(id) { format!(" {:?}", dom.text(id)) } else { String::new() };
            let _ = writeln!(out, "{}{hidden}{}{text}", " ".repeat(depth), dom.tag(id).name());
        }
        out
    }

    #[test]
    fn broken_markup_gives_the_tree_that_browsers_build() {
        let got = outline("<title>T</title><table><tr><td>a<b>b</table><i>c<p>d</i>e");
        let want = "html\n ~head\n  ~title\n   ~#text \"T\"\n body\n  table\n   tbody\n    tr\n     td\n      #text \"a\"\n      b\n       #text \"b\"\n  i\n   #text \"c\"\n  p\n   i\n    #text \"d\"\n   #text \"e\"\n";
        assert_eq!(got, want);
    }

    #[test]
    fn hidden_text_is_kept_apart_and_blocks_are_not_glued() {
        let dom = Dom::parse(
            "<body style='display: none'><p>one<br>two</p><div hidden>no</div><script>no()</script><p style='Display:None'>no</p>\
             <ul><li>x<li>y</ul>a<b>b</b>c<!-- d -->e<noscript>no</noscript>",
        );
        assert_eq!(dom.visible_text().trim(), "one\ntwo\nx\ny\nabce");
        for id in dom.ids() {
            if let Some(range) = dom.text_range(id) {
                assert_eq!(dom.text(id), &dom.visible_text()[range]);
            }
        }
    }

    #[test]
    fn a_flood_of_attributes_is_cut() {
        let flood: String = (0..60_000).fold(String::from("<p>one<a href=x"), |mut tag, i| {
            let _ = write!(tag, " a{i}='>'");
            tag
        });
        let page = format!("{flood}>two</a><p>three");
        assert!(without_attribute_floods(&page).len() < 200_000);
        let dom = Dom::parse(&page);
        assert_eq!(dom.visible_text().trim(), "onetwo\nthree");
        let plain = "<p>a < b</p><img src='data:".to_owned() + &"x y".repeat(40_000) + "'>c";
        assert!(matches!(without_attribute_floods(&plain), Cow::Borrowed(_)));
    }

    #[test]
    fn deep_and_repetitive_pages_stay_small() {
        let deep = Dom::parse(&"<div>x".repeat(200_000));
        assert_eq!(deep.visible_text().matches('x').count(), 200_000);
        assert!(deep.ids().all(|id| deep.ancestors(id).count() <= MAX_DEPTH as usize + 4));

        // Each unclosed font element is opened again in every paragraph.
        let mut fonts = String::from("<p>");
        for i in 0..400 {
            let _ = write!(fonts, "<font color={i}>");
        }
        fonts.push_str(&"<p>x".repeat(20_000));
        let fonts = Dom::parse(&fonts);
        assert_eq!(fonts.visible_text().matches('x').count(), 20_000);
        assert!(fonts.len() < 100_000, "{} nodes", fonts.len());
    }
}
