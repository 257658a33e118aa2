//! Text to tree, as browsers do it. Only this file and `tokenize` name the HTML parser.
//!
//! The parser's own algorithm is quadratic on some hostile input: it scans the stack of open elements for most tags, and
//! it copies all unclosed formatting elements into every new block, with their attributes. [`Guard`] keeps both bounded: tags
//! deeper than [`MAX_DEPTH`] are left out (their text stays, parted by `br` where a block began or ended), and a page whose tree grows far beyond its tags or its bytes is
//! parsed again without formatting elements.
//!
//! Of the parser only the building of the tree is used: the tokens are ours ([`tokenize`]).

use super::flatten::{NONE, RawTree, flatten};
use super::names::Names;
use super::style_rules::HidingRules;
use super::tokenize::{PageSink, tokenize};
use super::{Attr, Dom, Tag};
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, ns};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::hash::BuildHasher as _;

/// Open elements at most; browsers stop at 512 as well.
const MAX_DEPTH: u32 = 512;
/// Names of elements at most; tags of others, which mean nothing in HTML, are left out. The parser holds all names in chains
/// of a table that does not grow.
const MAX_NAMES: usize = 4096;
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
        let html = &html[..end];
        let run = |html: &str, guard: &Guard<'_>| tokenize(html, guard);
        let tree = build(html, false, run).unwrap_or_else(|| build(html, true, run).unwrap_or_else(|| RawTree::new(0)));
        let mut dom = flatten(tree);
        dom.truncated |= end < all;
        dom
    }
}

/// `None`: the tree outgrew the page.
pub(super) fn build(html: &str, plain: bool, run: impl Fn(&str, &Guard<'_>)) -> Option<RawTree> {
    let names = Names::new();
    let sink = Sink::new(&names, html.len());
    let opts = TreeBuilderOpts { scripting_enabled: false, drop_doctype: true, ..TreeBuilderOpts::default() };
    let guard = Guard {
        tree: TreeBuilder::new(sink, opts),
        text: Cell::default(),
        plain,
        tags: Cell::new(0),
        overgrown: Cell::new(false),
        left_out: RefCell::default(),
        left_out_total: Cell::new(0),
        in_noscript: RefCell::default(),
        rules: RefCell::default(),
        is_for_screens: Cell::new(false),
        is_xhtml: says_xhtml(html),
    };
    run(html, &guard);
    (plain || !guard.overgrown.get()).then(|| {
        let mut tree = guard.tree.sink.tree.into_inner();
        tree.rules = guard.rules.into_inner();
        tree
    })
}

/// Whether a page begins as XHTML does.
fn says_xhtml(html: &str) -> bool {
    let head = &html.as_bytes()[..html.len().min(1024)];
    head.trim_ascii_start().starts_with(b"<?xml")
        || memchr::memmem::find(head, b"http://www.w3.org/1999/xhtml\"").is_some()
}

/// Bytes of text from which on the tree builder gets it.
const PORTION: usize = 1 << 16;

/// Stands between tokenizer and tree builder.
pub(super) struct Guard<'a> {
    tree: TreeBuilder<Handle<'a>, Sink<'a>>,
    /// Text that the tree builder did not get yet: the tokenizer breaks it at every line feed.
    text: Cell<StrTendril>,
    /// Leave out formatting elements.
    plain: bool,
    tags: Cell<usize>,
    overgrown: Cell<bool>,
    /// Start tags left out, by the hash of their names, whose end tags are to be left out too.
    left_out: RefCell<FxHashMap<u64, u32>>,
    left_out_total: Cell<u32>,
    /// Elements that were opened in the open `noscript`.
    in_noscript: RefCell<Option<Vec<LocalName>>>,
    /// What the page's own style sheets hide.
    rules: RefCell<HidingRules>,
    /// Whether the tag that was just read opens a style sheet that is in force.
    is_for_screens: Cell<bool>,
    /// Whether the page says that it is XHTML, where `<title/>` is closed.
    is_xhtml: bool,
}

impl Guard<'_> {
    /// Whether the tree builder shall not see the tag.
    fn leaves_out(&self, tag: &html5ever::tokenizer::Tag) -> bool {
        match tag.kind {
            TagKind::StartTag => {
                self.tags.set(self.tags.get() + 1);
                if self.plain && is_formatting(&tag.name) {
                    return true;
                }
                let sink = &self.tree.sink;
                let left_out =
                    (sink.depth.get() > MAX_DEPTH && !is_leaf(&tag.name)) || sink.is_name_too_many(&tag.name);
                if left_out {
                    *self.left_out.borrow_mut().entry(FxBuildHasher.hash_one(&tag.name)).or_insert(0) += 1;
                    self.left_out_total.set(self.left_out_total.get() + 1);
                }
                left_out
            }
            TagKind::EndTag => {
                if self.plain && is_formatting(&tag.name) {
                    return true;
                }
                if self.left_out_total.get() == 0 {
                    return false;
                }
                match self.left_out.borrow_mut().get_mut(&FxBuildHasher.hash_one(&tag.name)) {
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

impl<'a> Guard<'a> {
    fn add_text(&self, text: StrTendril) {
        let mut all = self.text.take();
        if all.is_empty() {
            all = text;
        } else {
            all.push_slice(&text);
        }
        let is_large = all.len() >= PORTION;
        self.text.set(all);
        if is_large {
            self.flush();
        }
    }

    /// Closes with a `noscript` all that was left open in it: browsers that run scripts read it as text, so what it leaves
    /// open never reaches the page behind it.
    fn follow_noscript(&self, tag: &html5ever::tokenizer::Tag) {
        let is_noscript = tag.name == *"noscript";
        if tag.kind == TagKind::StartTag {
            let mut inner = self.in_noscript.borrow_mut();
            if is_noscript {
                *inner = Some(Vec::new());
            } else if let Some(inner) = inner.as_mut().filter(|_| !tag.self_closing && !is_leaf(&tag.name)) {
                // An item or paragraph closes the one before it.
                if inner.last() != Some(&tag.name) {
                    inner.push(tag.name.clone());
                }
            }
            return;
        }
        if !is_noscript {
            if let Some(inner) = self.in_noscript.borrow_mut().as_mut()
                && let Some(at) = inner.iter().rposition(|name| *name == tag.name)
            {
                inner.truncate(at);
            }
            return;
        }
        for name in self.in_noscript.take().into_iter().flatten().rev() {
            let end = Token::TagToken(bare(TagKind::EndTag, name));
            let _: TokenSinkResult<Handle<'a>> = self.tree.process_token(end, 1);
        }
    }

    /// Gives the tree builder the text before a token.
    fn flush(&self) {
        let text = self.text.take();
        if !text.is_empty() {
            let _: TokenSinkResult<Handle<'a>> = self.tree.process_token(Token::CharacterTokens(text), 1);
        }
    }
}

/// Elements whose content is read as text, to their end tag.
fn holds_raw(name: &str) -> bool {
    matches!(name, "script" | "style" | "title" | "textarea" | "xmp" | "iframe" | "noembed" | "noframes")
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

/// A tag without attributes.
fn bare(kind: TagKind, name: LocalName) -> html5ever::tokenizer::Tag {
    html5ever::tokenizer::Tag { kind, name, self_closing: false, attrs: Vec::new(), had_duplicate_attributes: false }
}

impl<'a> TokenSink for Guard<'a> {
    type Handle = Handle<'a>;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle<'a>> {
        if self.overgrown.get() {
            return TokenSinkResult::Continue;
        }
        match token {
            Token::ParseError(_) => return TokenSinkResult::Continue,
            Token::CharacterTokens(text) => {
                self.add_text(text);
                return TokenSinkResult::Continue;
            }
            Token::TagToken(ref tag) => {
                self.flush();
                let is_empty =
                    self.is_xhtml && tag.self_closing && tag.kind == TagKind::StartTag && holds_raw(&tag.name);
                if is_empty {
                    return TokenSinkResult::Continue;
                }
                if self.leaves_out(tag) {
                    // What browsers would part stays parted.
                    if Tag::from_name(&tag.name).breaks_text() {
                        let _: TokenSinkResult<Handle<'a>> = self
                            .tree
                            .process_token(Token::TagToken(bare(TagKind::StartTag, LocalName::from("br"))), line);
                    }
                    return TokenSinkResult::Continue;
                }
                self.follow_noscript(tag);
                let sink = &self.tree.sink;
                if !self.plain && sink.is_overgrown(self.tags.get()) {
                    self.overgrown.set(true);
                    return TokenSinkResult::Continue;
                }
                let is_media = |attr: &Attribute| {
                    attr.name.local != *"media" || matches!(attr.value.trim(), "" | "all" | "screen")
                };
                self.is_for_screens
                    .set(tag.name == *"style" && self.in_noscript.borrow().is_none() && tag.attrs.iter().all(is_media));
            }
            _ => self.flush(),
        }
        self.tree.process_token(token, line)
    }

    fn end(&self) {
        self.tree.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.flush();
        self.tree.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

impl PageSink for Guard<'_> {
    fn is_done(&self) -> bool {
        self.overgrown.get()
    }

    fn take_code(&self, text: &str) -> bool {
        let is_code = self.tree.sink.is_in_code();
        if is_code && self.is_for_screens.get() {
            self.rules.borrow_mut().read(text);
        }
        is_code
    }

    /// Two formatting elements are one to the parser where all their attributes are equal.
    fn reads_all_attributes(&self, name: &str) -> bool {
        is_formatting(name)
    }
}

/// An element's name.
#[derive(Debug)]
pub(super) struct Name {
    namespace: Namespace,
    local: LocalName,
    tag: Tag,
}

impl ElemName for &Name {
    fn ns(&self) -> &Namespace {
        &self.namespace
    }
    fn local_name(&self) -> &LocalName {
        &self.local
    }
}

/// A node as the tree builder knows it: the parser asks for names far more often than for anything else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle<'a> {
    /// Its number in the tree; [`NONE`] for comments, which are not kept.
    node: u32,
    name: &'a Name,
}

/// The tree under construction.
struct Sink<'a> {
    tree: RefCell<RawTree>,
    names: &'a Names<Name>,
    /// The names that were seen, by namespace and local name.
    known: RefCell<FxHashMap<(Namespace, LocalName), &'a Name>>,
    document: Handle<'a>,
    /// The element that was created last.
    newest: Cell<u32>,
    /// Depth of the open element that was last appended to or left.
    depth: Cell<u32>,
    /// Children moved from parent to parent.
    moved: Cell<usize>,
}

impl<'a> Sink<'a> {
    fn new(names: &'a Names<Name>, page_len: usize) -> Self {
        let nameless = Name { namespace: Namespace::default(), local: LocalName::default(), tag: Tag::DOCUMENT };
        Self {
            tree: RefCell::new(RawTree::new(page_len)),
            names,
            known: RefCell::default(),
            document: Handle { node: 0, name: names.add(nameless) },
            newest: Cell::new(0),
            depth: Cell::new(0),
            moved: Cell::new(0),
        }
    }

    /// Whether the name is none of HTML's and too many such were seen.
    fn is_name_too_many(&self, name: &LocalName) -> bool {
        self.known.borrow().len() >= MAX_NAMES
            && Tag::from_name(name) == Tag::OTHER
            && !self.known.borrow().contains_key(&(ns!(html), name.clone()))
    }

    /// Whether the tree has grown far beyond the tags that were read.
    fn is_overgrown(&self, tags: usize) -> bool {
        let tree = self.tree.borrow();
        tree.len() + self.moved.get() > 20_000 + 16 * tags || tree.is_overfull()
    }

    /// Whether the text of the newest element is not kept.
    fn is_in_code(&self) -> bool {
        self.tree.borrow().is_code(self.newest.get())
    }

    fn insert(&self, parent: u32, before: u32, child: NodeOrText<Handle<'a>>) {
        let tree = &mut *self.tree.borrow_mut();
        match child {
            NodeOrText::AppendNode(Handle { node: NONE, .. }) => {
                tree.insert_comment(parent, before);
                self.depth.set(u32::from(tree.depth(parent)));
            }
            NodeOrText::AppendNode(Handle { node, .. }) => {
                tree.insert(parent, before, node);
                let depth = tree.depth(parent);
                tree.set_depth(node, depth.saturating_add(1));
                self.depth.set(u32::from(depth));
            }
            NodeOrText::AppendText(text) => {
                if !tree.is_code(parent) {
                    tree.insert_text(parent, before, &text);
                }
            }
        }
    }
}

impl<'a> TreeSink for Sink<'a> {
    type Handle = Handle<'a>;
    type Output = RawTree;
    type ElemName<'b>
        = &'a Name
    where
        Self: 'b;

    fn finish(self) -> RawTree {
        self.tree.into_inner()
    }

    fn parse_error(&self, _message: Cow<'static, str>) {}

    fn get_document(&self) -> Handle<'a> {
        self.document
    }

    fn elem_name<'b>(&'b self, target: &'b Handle<'a>) -> &'a Name {
        target.name
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, _flags: ElementFlags) -> Handle<'a> {
        let name = *self.known.borrow_mut().entry((name.ns, name.local)).or_insert_with_key(|(namespace, local)| {
            let tag = Tag::from_name(&local.to_ascii_lowercase());
            self.names.add(Name { namespace: namespace.clone(), local: local.clone(), tag })
        });
        let tree = &mut *self.tree.borrow_mut();
        let node = tree.add(name.tag);
        for (attr, value) in kept(&attrs) {
            tree.attribute(node, attr, value);
        }
        self.newest.set(node);
        Handle { node, name }
    }

    fn create_comment(&self, _text: StrTendril) -> Handle<'a> {
        Handle { node: NONE, name: self.document.name }
    }

    fn create_pi(&self, target: StrTendril, data: StrTendril) -> Handle<'a> {
        drop(data);
        self.create_comment(target)
    }

    fn append(&self, parent: &Handle<'a>, child: NodeOrText<Handle<'a>>) {
        self.insert(parent.node, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle<'a>, previous: &Handle<'a>, child: NodeOrText<Handle<'a>>) {
        let parent = self.tree.borrow().parent(element.node);
        match parent {
            Some(parent) => self.insert(parent, element.node, child),
            None => self.insert(previous.node, NONE, child),
        }
    }

    fn append_doctype_to_document(&self, _name: StrTendril, _public: StrTendril, _system: StrTendril) {}

    fn pop(&self, node: &Handle<'a>) {
        let depth = self.tree.borrow().depth(node.node);
        self.depth.set(u32::from(depth.saturating_sub(1)));
    }

    fn get_template_contents(&self, target: &Handle<'a>) -> Handle<'a> {
        *target
    }

    fn same_node(&self, x: &Handle<'a>, y: &Handle<'a>) -> bool {
        x.node == y.node
    }

    fn set_quirks_mode(&self, _mode: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle<'a>, new: NodeOrText<Handle<'a>>) {
        let Some(parent) = self.tree.borrow().parent(sibling.node) else { return };
        if let NodeOrText::AppendNode(Handle { node, .. }) = new
            && node != NONE
        {
            self.tree.borrow_mut().detach(node);
        }
        self.insert(parent, sibling.node, new);
    }

    fn add_attrs_if_missing(&self, target: &Handle<'a>, attrs: Vec<Attribute>) {
        let mut tree = self.tree.borrow_mut();
        for (attr, value) in kept(&attrs) {
            if !tree.has(target.node, attr) {
                tree.attribute(target.node, attr, value);
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle<'a>) {
        self.tree.borrow_mut().detach(target.node);
    }

    fn reparent_children(&self, node: &Handle<'a>, new_parent: &Handle<'a>) {
        let moved = self.tree.borrow_mut().move_children(node.node, new_parent.node);
        self.moved.set(self.moved.get() + moved);
    }
}

fn kept(attrs: &[Attribute]) -> impl Iterator<Item = (Attr, &str)> {
    attrs.iter().filter_map(|attribute| Attr::from_name(&attribute.name.local).map(|attr| (attr, &*attribute.value)))
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
    fn deep_and_repetitive_pages_stay_small() {
        let deep = Dom::parse(&"<div>x".repeat(200_000));
        assert_eq!(deep.visible_text().matches('x').count(), 200_000);
        assert!(deep.ids().all(|id| deep.ancestors(id).count() <= MAX_DEPTH as usize + 4));
        let parted = Dom::parse(&format!("{}<p>first</p><p>second</p>", "<div>".repeat(600)));
        let last: Vec<Tag> = parted.ids().map(|id| parted.tag(id)).collect();
        assert!(last.ends_with(&[Tag::TEXT, Tag::BR, Tag::BR, Tag::TEXT, Tag::BR]), "{:?}", &last[last.len() - 6..]);

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
