#!/usr/bin/env python3
"""Write list pages of every shape with their answers, for `scripts/train-records` (standard library only).

    list_pages.py DEST [--pages 400] [--seed 1]     -> DEST/pages/<id>.html, DEST/gold.jsonl

Real pages teach what most lists look like; the shapes that few sites of the development sets have (records under several
parents, nested records, separators, grids, definition lists, rows that span) are taught by these. Each page has a menu, a
footer and some of pagination, tag cloud, sidebar and breadcrumbs, now and then longer than the list. Words, names of classes
and the order of fields are drawn anew for every page, so that nothing but the shape is the same."""
import argparse, json, os, random

WORDS = ('field lamp river stone bread cloud paper window garden bottle winter engine market signal copper harvest island '
         'journey kitchen ladder mirror needle orchard pocket quarry ribbon saddle timber umbrella valley wagon yarn anchor '
         'button candle drawer elbow feather gravel hammer kettle lantern meadow napkin oyster pebble quilt rocket').split()
ZH = '山水风云花月春秋天地人和东西南北长江黄河大小中国新老高低红绿青白金木火土日星海湖石田'
MENU = 'Home News Shop About Contact Help Login Register Careers Privacy Terms Archive Forum Blog Events Partners'.split()

DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()


class Page:
    def __init__(self, rng):
        self.r, self.serial = rng, 0
        self.zh = rng.random() < .2
        self.prefix = rng.choice(['', '', 'c-', 'js-', 'x', 'm_'])
        self.named = rng.random() < .6
        self.bare, self.linked, self.numbered = rng.random() < .35, rng.random() < .75, rng.random() < .5
        self.short, self.taken = rng.random() < .3, set()

    def words(self, a, b):
        n = self.r.randint(a, b)
        if self.zh:
            return ''.join(self.r.choice(ZH) for _ in range(n * 2))
        return ' '.join(self.r.choice(WORDS) for _ in range(n))

    def title(self):
        self.serial += 1
        least, most = (1, 2) if self.short else (2, 7)
        while True:
            text = self.words(least, most).capitalize()
            if self.numbered:
                text += ' %d' % (1000 + self.serial * 7)
            if not any(text in other or other in text for other in self.taken):
                self.taken.add(text)
                return text
            most += 1

    def sentence(self):
        if self.short:
            return self.words(1, 4).capitalize()
        return self.words(7, 22).capitalize() + ('。' if self.zh else '.')

    def price(self):
        return self.r.choice(['$%d.%02d', '€%d,%02d', '£%d.%02d']) % (self.r.randint(1, 900), self.r.randint(0, 99))

    def date(self):
        y, m, d = self.r.randint(2005, 2024), self.r.randint(1, 12), self.r.randint(1, 28)
        return self.r.choice(['%d-%02d-%02d' % (y, m, d), '%d/%d/%d' % (d, m, y), '%d Mar %d' % (d, y)])

    def group(self):
        """The heading of a group."""
        return self.r.choice([self.date(), self.words(1, 3), self.r.choice(DAYS)])

    def cls(self, name):
        return ' class="%s%s"' % (self.prefix, name) if self.named else ''

    def link(self, text):
        return '<a href="/%s/%d">%s</a>' % (self.r.choice(['p', 'item', 'a']), self.r.randint(1, 99999), text)

    def fields(self):
        """The fields that a record of this page has, in order, as makers of (html, text)."""
        f = [('h', lambda t: self.link(t) if self.linked else t)]
        f += self.r.sample([('d', self.date), ('p', self.price), ('s', self.sentence), ('n', lambda: '%d' % self.r.randint(1, 999)),
                            ('w', lambda: self.words(1, 3))], self.r.randint(1, 4))
        return f


def card(p, fields, title, inner=''):
    """-> html of the inside of a record, the strings that it holds."""
    out, holds = [], []
    for kind, make in fields:
        if kind == 'h':
            out.append('<%s>%s</%s>' % (p.heading, make(title), p.heading))
        else:
            if p.r.random() < p.optional:
                continue
            text = make()
            holds.append(text)
            out.append('<%s%s>%s</%s>' % (p.tags[kind], p.cls(kind + 'x'), text, p.tags[kind]))
    if p.image and p.r.random() < .9:
        out.insert(0, '<img src="/i/%d.jpg">' % p.r.randint(1, 999))
    return p.gap.join(out) + inner, holds


def advert(p, tag):
    return '<%s%s>%s</%s>' % (tag, p.cls('promo'), p.link('Sponsored ' + p.words(1, 3)), tag)


def flat(p, n, recs):
    tag, parent = p.r.choice([('li', 'ul'), ('div', 'div'), ('article', 'section'), ('section', 'div'), ('a', 'div'), ('p', 'div')])
    ads = p.r.random() < .6
    out = []
    for i in range(n):
        t = p.title()
        html, holds = card(p, p.f, t) if tag not in ('a', 'p') else (t if tag == 'a' else p.link(t) + ' ' + p.date(), [])
        state = p.r.choice(['', ' odd', ' first', ' hot']) if p.states else ''
        c = ' class="%sitem%s"' % (p.prefix, state) if p.named else ''
        out.append('<%s%s>%s</%s>' % (tag, c, html, tag))
        recs.append((t, holds))
        if ads and i % p.r.randint(2, 6) == 1:
            out.append(advert(p, tag if p.r.random() < .5 and p.named else 'div'))
    if p.r.random() < .4:
        # A heading, or the means of what the records tell: of neither does a reader say that it is one.
        means = ''.join('<%s>%s</%s> ' % (p.tags['w'], p.words(1, 2) + ' %d' % p.r.randint(1, 99), p.tags['w']) for _ in range(p.r.randint(2, 5)))
        out.insert(0, '<%s%s>%s</%s>' % (tag if p.named else 'div', p.cls('head'), p.r.choice([p.words(2, 4), means]), tag if p.named else 'div'))
    return '<%s%s>%s</%s>' % (parent, p.cls('list'), ''.join(out), parent)


def groups(p, n, recs):
    tag, parent = p.r.choice([('li', 'ul'), ('div', 'div'), ('article', 'div'), ('tr', 'table')])
    heading = p.r.choice(['h2', 'h3', 'h4', 'div'])
    wrap = p.r.random() < .6
    bare = p.r.random() < .3
    even, most = p.r.choice([0, 0, 2, 3, 5]), p.r.choice([2, 3, 6])
    out, left = [], n if even != 2 else max(6, n)
    while left > 0:
        k = min(left, even or p.r.randint(1, most))
        left -= k
        items = []
        for _ in range(k):
            t = p.title()
            if tag == 'tr':
                html, holds = '<td>%s</td><td>%s</td>' % (p.link(t), p.words(1, 3)), []
            else:
                html, holds = card(p, p.f, t)
            recs.append((t, holds))
            items.append('<%s%s>%s</%s>' % (tag, p.cls('item'), html, tag))
        head = '' if bare else '<%s%s>%s</%s>' % (heading, p.cls('group-head'), p.group(), heading)
        body = '<%s%s>%s</%s>' % (parent, p.cls('group-list'), ''.join(items), parent)
        out.append('<div%s>%s%s</div>' % (p.cls('group'), head, body) if wrap or bare else head + body)
    return '<div%s>%s</div>' % (p.cls('groups'), ''.join(out))


def split(p, n, recs):
    """A first list set apart (featured), the rest elsewhere with the same look."""
    first = p.r.randint(1, max(1, n // 3))
    named, p.named = p.named, True
    def items(k):
        out = []
        for _ in range(k):
            t = p.title()
            html, holds = card(p, p.f, t)
            recs.append((t, holds))
            out.append('<div%s>%s</div>' % (p.cls('result'), html))
        return ''.join(out)
    a, b = items(first), items(n - first)
    form = p.r.randint(0, 2)
    p.named = named
    if form == 0:
        return '<div class="%sbox">%s<div class="%smore">%s</div></div>' % (p.prefix, a, p.prefix, b)
    if form == 1:
        return '<div class="%stop">%s</div><div class="%srest"><div>%s</div></div>' % (p.prefix, a, p.prefix, b)
    return '<div><div class="%stop">%s</div>%s</div>' % (p.prefix, a, b)


def nested(p, n, recs):
    outer, inner, holder = p.r.choice([('div', 'div', 'div'), ('li', 'li', 'ul'), ('article', 'li', 'ul'), ('section', 'tr', 'table')])
    out = []
    for _ in range(max(3, n // 2)):
        t = p.title()
        # A record with parts has something of its own beside its name; a name alone is the heading of a group.
        p.optional = 0
        html, holds = card(p, p.f[:2] + p.f[2:3], t)
        rows = []
        for _ in range(p.r.randint(2, 5)):
            w = p.words(1, 2) + ' %d' % p.r.randint(1, 99)
            holds.append(w)
            cells = [w, p.price(), p.r.choice(['in stock', 'sold out', '2 days'])]
            rows.append('<%s%s>%s</%s>' % (inner, p.cls('offer'), ''.join('<td>%s</td>' % c for c in cells) if inner == 'tr' else
                                          '<span>%s</span> <b>%s</b> <i>%s</i>' % tuple(cells), inner))
        out.append('<%s%s>%s<%s%s>%s</%s></%s>' % (outer, p.cls('prod'), html, holder, p.cls('offers'), ''.join(rows), holder, outer))
        recs.append((t, holds))
    parent = 'ul' if outer == 'li' else 'div'
    return '<%s%s>%s</%s>' % (parent, p.cls('list'), ''.join(out), parent)


def separated(p, n, recs):
    sep = p.r.choice(['<hr>', '<br><br>', '<p>', '<p>', '<hr>', '<div class="line"></div>'])
    out = []
    for _ in range(n):
        t = p.title()
        date, text = p.date(), p.sentence()
        body = p.r.choice(p.sepforms) % dict(t=t, d=date, s=text, l=p.link(t))
        recs.append((t, [date, text]))
        out.append(body)
    html = sep.join(out)
    if sep != '<p>' and p.r.random() < .4:
        html = '<h2>%s</h2>%s%s' % (p.words(1, 3), sep, html)
    if p.r.random() < .3 and sep == '<hr>':
        html += sep + 'Copyright ' + p.words(2, 3)
    return '<%s>%s</%s>' % (('div', html, 'div') if p.r.random() < .6 else ('table><tr><td', html, 'td></tr></table'))


def grid(p, n, recs):
    width, high = p.r.randint(2, 4), p.r.random() < .6
    out = []
    for i in range(0, n, width):
        cells = [(p.title(), p.sentence(), p.price()) for _ in range(min(width, n - i))]
        for t, s, c in cells:
            recs.append((t, [s, c]))
        if high:
            out.append('<tr>%s</tr>' % ''.join('<td><b>%s</b></td>' % p.link(t) for t, _, _ in cells))
            out.append('<tr>%s</tr>' % ''.join('<td>%s<br>%s</td>' % (s, c) for _, s, c in cells))
        else:
            out.append('<tr>%s</tr>' % ''.join('<td>%s<br>%s<br>%s</td>' % (p.link(t), s, c) for t, s, c in cells))
    return '<table>%s</table>' % ''.join(out)


def definitions(p, n, recs):
    out, two = [], p.r.random() < .4
    for _ in range(n):
        t, s, d = p.title(), p.sentence(), p.date()
        recs.append((t, [s, d]))
        out.append('<dt>%s</dt>%s' % (p.link(t), '<dd>%s</dd><dd>%s</dd>' % (d, s) if two else '<dd>%s %s</dd>' % (d, s)))
    return '<dl%s>%s</dl>' % (p.cls('list'), ''.join(out))


def headed(p, n, recs):
    """Heading and paragraphs in turns, no element around a record."""
    h, out = p.r.choice(['h2', 'h3', 'h4', 'b']), []
    for _ in range(n):
        t, s, d = p.title(), p.sentence(), p.date()
        recs.append((t, [s, d]))
        out.append('<%s>%s</%s><div%s>%s</div><p>%s</p>%s' % (h, p.link(t), h, p.cls('meta'), d, s, '<p>%s</p>' % p.sentence() if p.r.random() < .3 else ''))
    return '<div%s>%s</div>' % (p.cls('posts'), ''.join(out))


def table(p, n, recs):
    cols = p.r.randint(3, 6)
    kinds = [p.title] + [p.r.choice([p.price, p.date, lambda: p.words(1, 2), lambda: str(p.r.randint(1, 999))]) for _ in range(cols - 1)]
    head = '<tr>%s</tr>' % ''.join('<%s>%s</%s>' % (p.th, p.words(1, 1), p.th) for _ in kinds) if p.r.random() < .8 else ''
    out = []
    for i in range(n):
        cells = [k() for k in kinds]
        if p.optional and p.r.random() < .3:
            cells = cells[:-1] if p.r.random() < .5 else cells + [p.words(1, 1)]
        recs.append((cells[0], cells[1:]))
        c = ' class="%s"' % p.r.choice(['odd', 'even']) if p.states else ''
        out.append('<tr%s>%s</tr>' % (c, ''.join('<td>%s</td>' % (p.link(x) if j == 0 and p.linked else x) for j, x in enumerate(cells))))
        if p.r.random() < .04:
            out.append('<tr><td colspan=%d>%s</td></tr>' % (cols, p.link(p.words(2, 3))))
    if p.r.random() < .2:
        out.append('<tr><td colspan=%d>%s</td></tr>' % (cols, p.words(3, 6)))
    return '<table>%s%s</table>' % (('<thead>%s</thead>' % head if head and p.r.random() < .5 else head), ''.join(out))


def spans(p, n, recs):
    out, nest = [], p.r.random() < .5
    for i in range(max(3, n // 2)):
        t, s, c = p.title(), p.sentence(), p.price()
        k = p.r.randint(2, 4) if nest else 2
        if nest:
            rows = [(p.words(1, 2), p.price()) for _ in range(k)]
            recs.append((t, [s] + [b for _, b in rows]))
            out.append('<tr><td rowspan=%d><b>%s</b><br>%s</td><td>%s</td><td>%s</td></tr>' % ((k, p.link(t), s) + rows[0]))
            out += ['<tr><td>%s</td><td>%s</td></tr>' % r for r in rows[1:]]
        else:
            recs.append((t, [s, c]))
            out.append('<tr><td rowspan=2>%d.</td><td>%s</td></tr><tr><td>%s %s</td></tr>' % (i + 1, p.link(t), c, s))
            if p.r.random() < .5:
                out.append('<tr><td colspan=2>&nbsp;</td></tr>')
    return '<table>%s</table>' % ''.join(out)


def flatgroups(p, n, recs):
    """Headings and records in one row of siblings, some records under each heading, and a pager at the end."""
    form = p.r.choice(['h', 'h', 'same', 'dl', 'tr', 'td', 'div'])
    tag, parent = {'dl': ('dd', 'dl'), 'tr': ('tr', 'table'), 'td': ('tr', 'table'), 'same': ('li', 'ul'), 'div': ('div', 'div')}.get(form) or (
        p.r.choice(['p', 'div', 'article']), 'div')
    even, most = p.r.choice([0, 0, 0, 2, 3]), p.r.choice([3, 5, 8])
    out, left = [], max(6 if even else 4, n)
    while left > 0:
        k = min(left, even or p.r.randint(1 if out else 2, most))
        left -= k
        head = p.group()
        if form == 'tr':
            out.append('<tr><th colspan=2>%s</th></tr>' % head)
        elif form == 'td':
            out.append('<tr class=%sday><td colspan=2><b>%s</b></td></tr>' % (p.prefix, head))
        elif form == 'div':
            out.append('<div class=%sday>%s</div>' % (p.prefix, head))
        elif form == 'same':
            out.append('<li class=%sdate>%s</li>' % (p.prefix, head))
        else:
            h = 'dt' if form == 'dl' else p.heading if p.heading in ('h2', 'h3', 'h4') else 'h3'
            out.append('<%s>%s</%s>' % (h, head, h))
        for _ in range(k):
            t, w = p.title(), p.words(1, 3)
            recs.append((t, [w]))
            body = '<td>%s</td><td>%s</td>' % (p.link(t), w) if tag == 'tr' else p.r.choice(['%s <span>%s</span>', '%s <em>%s</em>']) % (p.link(t), w)
            out.append('<%s%s>%s</%s>' % (tag, p.cls('entry') if form in ('h', 'div') else '', body, tag))
    if p.r.random() < .3 and tag in ('tr', 'p', 'div'):
        more = p.link(p.r.choice(['More', 'Next page', 'Older']))
        out.append('<tr><td colspan=2>%s</td></tr>' % more if tag == 'tr' else '<%s>%s</%s>' % (tag, more, tag))
    return '<%s%s>%s</%s>' % (parent, p.cls('archive'), ''.join(out), parent)


def zebra(p, n, recs):
    """Rows or items of two colours in turns, or comments of which some have an answer."""
    form, n = p.r.choice(['tr', 'li', 'comments']), max(4, n)
    two, out = p.r.choice([(' class=odd', ' class=even'), ('', ' class=alt'), (' class="row dark"', ' class="row light"')]), []
    cols, price = p.r.randint(2, 4), p.r.random() < .5
    for i in range(n):
        t = p.title()
        if form == 'tr':
            cells = [p.link(t) if p.linked else t] + [p.price() if price else p.words(1, 2) for _ in range(cols - 1)]
            out.append('<tr%s>%s</tr>' % (two[i % 2], ''.join('<td>%s</td>' % c for c in cells)))
        elif form == 'li':
            out.append('<li%s>%s%s</li>' % (two[i % 2], p.link(t), ' <i>%s</i>' % p.date() if price else ''))
        else:
            comment = '<div class=%scomment><b>%s</b><p>%s</p>%s</div>'
            answer = comment % (p.prefix, p.words(1, 2), p.sentence(), '')
            out.append(comment % (p.prefix, t, p.sentence(), answer if i % 3 == 0 or p.r.random() < .1 else ''))
        recs.append((t, []))
    if form == 'comments':
        return '<div%s>%s</div>' % (p.cls('comments'), ''.join(out))
    return '<%s>%s</%s>' % (('table', ''.join(out), 'table') if form == 'tr' else ('ul', ''.join(out), 'ul'))


def carried(p, n, recs):
    """A table with a head, one or two rows high, whose first cells span the rows of a group; records are the rows."""
    rows, cols, left = [], p.r.randint(2, 4), n
    while left > 0:
        k = min(left, p.r.choice([1, 2, 2, 3, 4]))
        left -= k
        for i in range(k):
            t = p.title()
            cells = ['<td>%s</td>' % t] + ['<td>%s</td>' % p.r.choice([p.price, p.date, lambda: p.words(1, 2)])() for _ in range(cols - 1)]
            if i == 0:
                cells.insert(0, '<td%s>%s</td>' % (' rowspan=%d' % k if k > 1 else '', p.words(1, 2)))
            rows.append('<tr>%s</tr>' % ''.join(cells))
            recs.append((t, []))
    names = ['<th>%s</th>' % p.words(1, 1) for _ in range(cols + 1)]
    if p.r.random() < .3:
        head = '<tr><th rowspan=2>%s</th><th colspan=%d>%s</th></tr><tr>%s</tr>' % (p.words(1, 1), cols, p.words(1, 1), ''.join(names[1:]))
    else:
        head = '<tr>%s</tr>' % ''.join(names)
    if p.r.random() < .3:
        rows.append('<tr><td colspan=2>%s</td>%s</tr>' % (p.r.choice(['Total', 'Sum', '合计']), '<td>%s</td>' % p.price() * (cols - 1)))
    return '<table>%s%s</table>' % ('<thead>%s</thead><tbody>' % head if p.r.random() < .5 else head, ''.join(rows))


def hero(p, n, recs):
    """The first record in better dress, in the list or above it."""
    p.heading, named, p.named = 'h3', p.named, True
    tag = p.r.choice(['article', 'div', 'li'])
    out = []
    for i in range(max(4, n)):
        t = p.title()
        html, holds = card(p, p.f, t)
        if i == 0:
            html = '<a href="/x"><img src="/h.jpg"></a>%s%s' % (html.replace('h3', p.r.choice(['h1', 'h2', 'h3'])), p.r.choice(['', '<ul><li>%s</li></ul>' % p.link(p.words(1, 3))]))
        out.append('<%s class="%scard%s">%s</%s>' % (tag, p.prefix, (' ' + p.prefix + p.r.choice(['lead', 'big', 'top'])) if i == 0 else '', html, tag))
        recs.append((t, holds))
    p.named = named
    box = 'ul' if tag == 'li' else 'div'
    if p.r.random() < .5:
        return '<%s>%s</%s>' % (box, ''.join(out), box)
    return '<%s class="%sfirst">%s</%s><%s class="%srest">%s</%s>' % (box, p.prefix, out[0], box, box, p.prefix, ''.join(out[1:]), box)


def pieces(p, n, recs):
    """One list in two or three containers, the first ones short, something else between them."""
    n, named, p.named = max(6, n), p.named, True
    tag, parent = p.r.choice([('li', 'ul'), ('li', 'ol'), ('div', 'div'), ('article', 'section')])
    cuts = sorted({p.r.randint(1, n // 3), p.r.choice([n // 3, n // 2, n]), n})
    out, before = [], 0
    same = p.r.random() < .6
    for at, cut in enumerate(cuts):
        items = []
        for _ in range(cut - before):
            t = p.title()
            html, holds = card(p, p.f, t)
            recs.append((t, holds))
            items.append('<%s%s>%s</%s>' % (tag, p.cls('hit'), html, tag))
        before = cut
        body = '<%s%s>%s</%s>' % (parent, p.cls('hits' if same else 'hits-' + 'abc'[at]), ''.join(items), parent)
        if p.r.random() < .5:
            body = '<div%s>%s</div>' % (p.cls('part' if same else 'part-' + 'abc'[at]), body)
        out.append(body)
        if p.r.random() < .5:
            out.append(p.r.choice(['<p>%s</p>' % p.words(2, 6), advert(p, 'div'), '<hr>']))
    p.named = named
    return '<div%s>%s</div>' % (p.cls('results'), ''.join(out))


def popular(p, n, recs):
    """Records, and beside them or below a few others, in the same dress or the like, that are not of the list."""
    named, p.named = p.named, True
    tag = p.r.choice(['li', 'div', 'article'])
    box = 'ul' if tag == 'li' else 'div'
    like = p.r.random() < .4
    fields = p.f[:1] + [f for f in p.f[1:] if p.r.random() < .5] if like else p.f
    def items(k, into):
        out = []
        for _ in range(k):
            t = p.title()
            html, holds = card(p, p.f if into is recs else fields, t)
            into.append((t, holds))
            c = p.cls('item') if into is recs or not like else p.r.choice([p.cls('item small'), p.cls('entry')])
            out.append('<%s%s>%s</%s>' % (tag, c, html, tag))
        return '<%s class="%slist">%s</%s>' % (box, p.prefix, ''.join(out), box)
    own = items(max(4, n), recs)
    name = p.r.choice(['popular', 'related', 'side', 'also', 'recent', 'trending', 'widget'])
    other = items(p.r.randint(1 if like else 2, 8), [])
    between = '<p>%s</p>' % p.sentence() if p.r.random() < .3 else ''
    aside, around = p.r.choice(['aside', 'div', 'div', 'section']), p.r.choice(['<div class="%smain">%s</div>', '<main class="%sbody">%s</main>'])
    head = '<%s>%s</%s>' % (p.heading, p.words(1, 3), p.heading) if p.r.random() < .7 else ''
    other = '<%s%s>%s%s</%s>' % (aside, p.cls(name) if p.r.random() < .8 else '', head, other, aside)
    p.named = named
    own = around % (p.prefix, own)
    return other + between + own if p.r.random() < .3 else own + between + other


def sponsored(p, n, recs):
    """Records set apart before the list, and behind it, that are marked and dressed a little otherwise, or quite otherwise but by
    the names of their classes; all are of the list."""
    named, p.named, left = p.named, True, max(5, n)
    tag, mark = p.r.choice(['li', 'div', 'div', 'article']), p.r.choice(['ad', 'sponsored', 'top', 'video', 'first', 'best'])
    box = p.r.choice(['ul', 'ol']) if tag == 'li' else 'div'
    other = p.r.random() < .5
    fields = p.f[:1] + [f for f in p.f[1:] if p.r.random() < (.3 if other else .7)]
    label = p.r.choice(['', '<span>%s</span>' % mark.capitalize(), '<img src="/%s.png">' % mark])
    same, alike, wrapped, head = p.r.random() < .5, other or p.r.random() < .3, p.r.random() < .6, p.r.random() < .3
    def item(own):
        t = p.title()
        html, holds = card(p, p.f if own else fields, t)
        recs.append((t, holds))
        if not own and wrapped:
            html = '<div>%s</div>' % html
        if other and not own:
            html = '<section><a href="/v/%d"><img src="/v/%d.jpg"></a></section>%s' % (len(t), len(recs), html)
        c = '%shit' % p.prefix + ('' if own or same else ' %s%s' % (p.prefix, mark))
        return '<%s class="%s">%s</%s>' % (tag, c, html if own else html + label, tag)
    def apart(k):
        name = ('%shits' if alike else '%s' + mark + 's') % p.prefix
        body = '<%s class="%s">%s</%s>' % (box, name, ''.join(item(False) for _ in range(k)), box)
        return (('<h3>%s</h3>' % p.words(1, 2) if head else '') + body) if k else ''
    before = apart(p.r.randint(1, min(5, left // 2)))
    own = ''.join(item(True) for _ in range(left))
    behind = apart(p.r.choice([0, 0, 1, 2, 3]))
    if tag == 'li' or alike or p.r.random() < .5:
        own = '<%s class="%shits">%s</%s>' % (box, p.prefix, own, box)
        if alike and p.r.random() < .5:
            own, before = ('<div class="%spart">%s</div>' % (p.prefix, part) for part in (own, before))
    p.named = named
    return '<div%s>%s%s%s</div>' % (p.cls('results'), before, own, behind)


def gallery(p, n, recs):
    """Images, some with what they show below, all of which a reader would call the list."""
    form = p.r.choice(['a', 'figure', 'li', 'div', 'td'])
    n, named = max(4, n), p.r.random() < .3
    linked, bare = form == 'a' or p.r.random() < .7, p.r.random() < .6
    cells = []
    for i in range(n):
        source = '/i/%d-%d.jpg' % (i, p.r.randint(1, 999))
        recs.append(('', [], source))
        html = '<img src="%s"%s>' % (source, ' alt="%s"' % p.words(1, 3) if named else '')
        if linked:
            html = '<a href="/%s/%d">%s</a>' % (p.r.choice(['p', 'item']), p.r.randint(1, 99999), html)
        if not bare and form != 'a':
            html += '<%s>%s</%s>' % (('figcaption', p.words(1, 3), 'figcaption') if form == 'figure' else ('span', p.words(1, 3), 'span'))
        cells.append(html if form == 'a' else '<%s%s>%s</%s>' % (form, p.cls('thumb'), html, form))
    if form == 'td':
        width = p.r.randint(2, 4)
        return '<table>%s</table>' % ''.join('<tr>%s</tr>' % ''.join(cells[i:i + width]) for i in range(0, n, width))
    box = 'ul' if form == 'li' else 'div'
    return '<%s%s>%s</%s>' % (box, p.cls('gallery'), p.r.choice(['', ' ']).join(cells), box)


SHAPES = dict(flat=flat, groups=groups, split=split, nested=nested, separated=separated, grid=grid, definitions=definitions,
              headed=headed, table=table, spans=spans, flatgroups=flatgroups,
              zebra=zebra, carried=carried, hero=hero, pieces=pieces, popular=popular, sponsored=sponsored, gallery=gallery)
WEIGHTS = dict(flat=8, groups=5, split=2, nested=2, separated=3, grid=1, definitions=1, headed=1, table=2, spans=3, flatgroups=3, zebra=2, carried=1, hero=2,
               pieces=2, popular=3, sponsored=3, gallery=1)


def around(p, body):
    r = p.r
    links = lambda a, b: ''.join('<li>%s</li>' % p.link(p.r.choice(MENU)) for _ in range(r.randint(a, b)))
    menu = r.choice(['<div id="nav"><ul>%s</ul></div>', '<nav><ul>%s</ul></nav>', '<ul class="menu">%s</ul>', '<div><ul>%s</ul></div>']) % links(5, 40)
    if p.bare:
        menu = '<nav>%s</nav>' % ' '.join(p.link(r.choice(MENU)) for _ in range(r.randint(3, 6)))
        foot = '<footer><p>%s, %s</p></footer>' % (p.words(1, 3), p.words(2, 4))
        return '<!doctype html><html><head><title>%s</title></head><body>%s<h1>%s</h1>%s%s</body></html>' % (
            p.words(1, 3), menu if r.random() < .8 else '', p.words(1, 3), body, foot if r.random() < .8 else '')
    out = [menu]
    if r.random() < .4:
        out.append('<div%s>%s</div>' % (p.cls('breadcrumb'), ' &gt; '.join(p.link(p.words(1, 1)) for _ in range(3))))
    main = '<h1>%s</h1>' % p.words(1, 4)
    if r.random() < .5:
        main += '<p>%s</p>' % ' '.join(p.sentence() for _ in range(r.randint(1, 4)))
    main += body
    if r.random() < .5:
        tag = r.choice(['a', 'li', 'span'])
        main += '<div%s>%s</div>' % (p.cls('pages'), ''.join('<%s>%s</%s>' % (tag, i if tag == 'a' else p.link(str(i)), tag) for i in range(1, r.randint(4, 14))))
    side = ''
    if r.random() < .5:
        side += '<div%s><h3>%s</h3><ul>%s</ul></div>' % (p.cls('widget'), p.words(1, 2), ''.join('<li>%s</li>' % p.link(p.words(2, 8)) for _ in range(r.randint(4, 12))))
    if r.random() < .4:
        side += '<div%s>%s</div>' % (p.cls('tags'), ' '.join(p.link(p.words(1, 1)) for _ in range(r.randint(10, 60))))
    if r.random() < .3:
        side += '<form><select>%s</select></form>' % ''.join('<option>%s</option>' % p.words(1, 2) for _ in range(r.randint(5, 50)))
    parts = ['<div%s>%s</div>' % (p.cls('content'), main) if r.random() < .7 else main, '<div%s>%s</div>' % (p.cls('side'), side) if side else '']
    if r.random() < .3:
        parts.reverse()
    foot = '<div id="footer"><p>Copyright 2011 %s. %s</p>%s</div>' % (p.words(1, 2), p.link('Terms'), '<ul>%s</ul>' % links(3, 20) if r.random() < .5 else '')
    return '<!doctype html><html><head><title>%s</title></head><body>%s%s%s</body></html>' % (p.words(1, 3), ''.join(out), ''.join(parts), foot)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('dest')
    ap.add_argument('--pages', type=int, default=400)
    ap.add_argument('--seed', type=int, default=1)
    a = ap.parse_args()
    rng = random.Random(a.seed)
    os.makedirs(os.path.join(a.dest, 'pages'), exist_ok=True)
    names = [n for n in SHAPES for _ in range(WEIGHTS[n])]
    with open(os.path.join(a.dest, 'gold.jsonl'), 'w', encoding='utf-8') as gold:
        for i in range(a.pages):
            shape = names[i % len(names)]
            p = Page(rng)
            p.headings = ['h2', 'h3', 'h4', 'div', 'b', 'strong', 'span']
            p.heading = rng.choice(p.headings)
            p.tags = {k: rng.choice(['span', 'p', 'div', 'em', 'small']) for k in 'dpsnw'}
            p.f, p.optional, p.image, p.states = p.fields(), rng.choice([0, 0, .3, .5]), rng.random() < .4, rng.random() < .4
            p.gap = rng.choice(['', ' ', '\n'])
            p.th = rng.choice(['th', 'th', 'td'])
            p.sepforms = [rng.choice(['<b>%(t)s</b>, %(d)s. %(s)s', '%(l)s<br>%(d)s %(s)s', '<b>%(l)s</b> %(d)s<br>%(s)s'])]
            recs = []
            body = SHAPES[shape](p, rng.choice([3, 4, 5, 6, 9, 12, 20, 30]), recs)
            name = 'made-%03d-%s' % (i, shape)
            with open(os.path.join(a.dest, 'pages', name + '.html'), 'w', encoding='utf-8') as f:
                f.write(around(p, body))
            gold.write(json.dumps(dict(id=name, site='made-' + shape, kind=shape, records=[dict(zip(('key', 'contains', 'image'), r)) for r in recs]), ensure_ascii=False) + '\n')


if __name__ == '__main__':
    main()
