"""Pages made from the training pages, for `scripts/train-blocks` (needs lxml): what few of them show, with gold as sure.

- *short*: an article cut after its first paragraphs, while all that stands around it stays. Real short articles beside long
  teasers and comments are rare in the sets, and are what extractors get wrong most. Half of them get a list of three to eight
  teasers behind the article, or behind what is around it.
- *boxed*: share bars, subscription boxes, notes on authors, lists of further reading and comments put into and behind the
  article, in several languages; the prose of teasers and comments is taken from other training pages.
- *facts*: a list, a table or terms and definitions put between two paragraphs, as part of the article.
- of any, now and then, the names of classes and ids are drawn anew: sites name them as they please.

A copy belongs to the site of its original, so that leaving out a site leaves out its copies.
"""
import hashlib, random, re
from html import escape, unescape

import lxml.html

MOST_CHARACTERS = 1_500_000
WORD = re.compile(r'[A-Za-z]+')
HEADINGS = {'h1', 'h2', 'h3', 'h4', 'h5', 'h6'}

# What is said, a language each: share, subscribe, about the author, further reading, comments, wall, consent.
SAYINGS = [
    ('Share this article|Facebook|Twitter|Email|Copy link', 'Sign up for our newsletter and get the best stories in your inbox every morning.',
     '{} is a reporter who covers schools and the courts. Follow her for more.', 'Read more|You may also like|Related stories|More from this section',
     'Comments|Leave a reply|{} says:|Reply', 'Subscribe to continue reading. Already a subscriber? Log in.',
     'We use cookies to improve your visit. By going on you accept our privacy policy.'),
    ('Artikel teilen|Drucken|Versenden', 'Jeden Morgen das Wichtigste im Postfach: hier unseren Newsletter bestellen.',
     '{} schreibt seit vielen Jahren über Wirtschaft und Verkehr.', 'Lesen Sie auch|Mehr zum Thema|Weitere Artikel',
     'Kommentare|Kommentar schreiben|{} schrieb:|Antworten', 'Weiterlesen mit einem Abo. Schon Abonnent? Anmelden.',
     'Diese Seite verwendet Cookies. Mehr dazu in der Erklärung zum Datenschutz.'),
    ('Partager|Imprimer|Envoyer à un ami', 'Recevez chaque matin notre lettre d’information dans votre boîte.',
     '{} est journaliste et suit les questions de santé.', 'À lire aussi|Sur le même sujet', 'Commentaires|Réagir|{} a dit :|Répondre',
     'Il vous reste la moitié de cet article à lire. La suite est réservée aux abonnés.', 'En poursuivant, vous acceptez les cookies.'),
    ('Compartir|Imprimir|Enviar', 'Suscríbete a nuestro boletín y recibe las noticias del día en tu correo.',
     '{} escribe sobre ciencia y medio ambiente.', 'Te puede interesar|Lee también|Más noticias', 'Comentarios|Deja un comentario|{} dijo:|Responder',
     'Contenido exclusivo para suscriptores. Inicia sesión para seguir leyendo.', 'Usamos cookies propias y de terceros.'),
    ('Compartilhar|Tweetar', 'Assine nossa newsletter e receba tudo por e-mail.', '{} é repórter desde sempre.', 'Leia também|Você pode gostar|Veja mais',
     'Comentários|Deixe um comentário|{} disse:|Responder', 'Conteúdo exclusivo para assinantes.', 'Este site usa cookies.'),
    ('Поделиться|ВКонтакте|Версия для печати', 'Подпишитесь на нашу рассылку и получайте главные новости дня по почте.',
     '{} пишет о политике и экономике.', 'Читайте также|По теме|Другие новости', 'Комментарии|Оставить комментарий|{} пишет:|Ответить',
     'Чтобы читать дальше, войдите или оформите подписку.', 'Сайт использует файлы cookie.'),
    ('Udostępnij|Drukuj', 'Zapisz się do newslettera, a codziennie rano dostaniesz najważniejsze wiadomości.', '{} zajmuje się sprawami miasta.',
     'Czytaj także|Zobacz też|Polecamy', 'Komentarze|Dodaj komentarz|{} pisze:|Odpowiedz', 'Dalsza część tylko dla prenumeratorów.',
     'Strona korzysta z plików cookie.'),
    ('Κοινοποίηση|Εκτύπωση', 'Εγγραφείτε στο ενημερωτικό μας δελτίο.', 'Ο {} γράφει για την πόλη.', 'Διαβάστε επίσης|Σχετικά άρθρα',
     'Σχόλια|Γράψτε σχόλιο|{} είπε:', 'Συνδεθείτε για να συνεχίσετε.', 'Η σελίδα χρησιμοποιεί cookies.'),
    ('分享到|微博|微信|打印', '订阅我们的新闻邮件，每天早上收到最重要的消息。', '{}，本报记者，长期报道教育和法律。', '相关阅读|相关新闻|推荐阅读',
     '网友评论|发表评论|{} 说：|回复', '登录后阅读全文，新用户请先注册。', '本网站使用cookie，继续浏览即表示同意。'),
    ('シェア|ツイート|印刷', 'メールマガジンに登録すると、毎朝ニュースが届きます。', '{}は地域の取材を担当する記者。', '関連記事|あわせて読みたい|おすすめ',
     'コメント|コメントを書く|{} より：', 'この記事は会員限定です。ログインして続きを読む。', '当サイトはクッキーを使用しています。'),
    ('공유하기|인쇄', '뉴스레터를 구독하고 매일 아침 소식을 받아 보세요.', '{} 기자는 교육과 법원을 취재한다.', '관련기사|추천 기사|많이 본 뉴스',
     '댓글|댓글 쓰기|{} 님', '로그인 후 계속 읽을 수 있습니다.', '이 사이트는 쿠키를 사용합니다.'),
    ('شارك المقال|طباعة', 'اشترك في نشرتنا البريدية لتصلك أهم الأخبار كل صباح.', '{} صحفية تكتب عن التعليم.', 'اقرأ أيضا|مواضيع ذات صلة',
     'التعليقات|أضف تعليقا|قال {}:', 'سجل الدخول لمتابعة القراءة.', 'يستخدم هذا الموقع ملفات تعريف الارتباط.'),
]
BY_LANGUAGE = dict(en=0, de=1, fr=2, es=3, pt=4, ru=5, pl=6, el=7, zh=8, ja=9, ko=10, ar=11)
NAMES = 'A. Keller|Jo Park|Maria|webreader22|Ivan P.|Chen Li|Anna Nowak|Dimitris|old_sailor|Guest|Tariq|Sofia R.'.split('|')
CLASSES = dict(
    share='share sharing share-bar social-links social article-tools entry-share addthis post-share',
    subscribe='newsletter newsletter-signup subscribe-box signup promo inline-promo cta mailing-list',
    author='author-bio about-author author-box bio writer-info vcard contributor author-card',
    related='related related-articles also-read read-more recommended more-stories teaser-list inline-related further',
    comments='comments comments-area comment-list responses discussion kommentare commentaires comentarios disqus_thread reactions',
    wall='paywall regwall subscriber-only gate premium-note locked', consent='cookie-notice consent gdpr privacy-bar')
TEASER_LISTS = 'teasers list latest stories most-read news-list cards river stream popular more mod-list front section'
KINDS = ['share', 'subscribe', 'author', 'related', 'comments', 'wall', 'consent']


def language(text, told):
    """The language told, or what the script says; English where neither does."""
    scripts = [('ja', '\u3040', '\u30ff'), ('ko', '\uac00', '\ud7a3'), ('zh', '\u4e00', '\u9fff'), ('ru', '\u0400', '\u04ff'),
               ('el', '\u0370', '\u03ff'), ('ar', '\u0600', '\u06ff')]
    for name, first, last in scripts:
        if sum(first <= c <= last for c in text[:2000]) > 100:
            return name
    return told or 'en'


def decode(page):
    try:
        return page.decode('utf-8')
    except UnicodeDecodeError:
        pass
    found = re.search(rb'charset\s*=\s*["\']?([\w-]+)', page[:4000], re.I)
    if not found:
        return None
    label = found[1].decode('ascii', 'replace').lower()
    try:
        return page.decode({'gb2312': 'gb18030', 'gbk': 'gb18030'}.get(label, label), 'replace')
    except LookupError:
        return None


def parse(html):
    """The tree of a page without what it says of its charset; None where lxml makes nothing of it."""
    html = re.sub(r'^\s*<\?xml[^>]*\?>', '', html).replace('\0', '')
    try:
        tree = lxml.html.document_fromstring(html)
    except Exception:
        return None
    for tag in tree.xpath('//meta[@charset]|//meta[translate(@http-equiv,"CONTEYP","conteyp")="content-type"]'):
        tag.drop_tree()
    return tree


def written(tree):
    head = tree.find('head')
    if head is not None:
        head.insert(0, lxml.html.fromstring('<meta charset="utf-8">'))
    return lxml.html.tostring(tree, encoding='utf-8')


def folded(text):
    return re.sub(r'\s+', '', text)


def rename(tree, salt):
    """Draws the names of classes and ids anew, the same for the same; what stays alike stays alike."""
    def other(match):
        digest = hashlib.md5((salt + match[0].lower()).encode()).hexdigest()
        return 'x' + ''.join(chr(97 + int(c, 16)) for c in digest[:6])
    for element in tree.iter():
        if isinstance(element.tag, str):
            for name in ('class', 'id'):
                if element.get(name) is not None:
                    element.set(name, WORD.sub(other, element.get(name)))
            for name in ('role', 'itemprop', 'itemtype'):
                element.attrib.pop(name, None)


def matched(tree, texts, good):
    """The elements that hold the text of a good block and nothing else, each block once: (block, element)."""
    want = {}
    for j in good:
        want.setdefault(folded(texts[j]), []).append(j)
    found = []
    for element in tree.iter():
        if isinstance(element.tag, str) and element.tag not in ('html', 'body', 'head', 'script', 'style'):
            text = folded(element.text_content())
            if len(text) <= 20000 and want.get(text):
                found.append((want[text].pop(0), element))
    return found


class Maker:
    def __init__(self, seed):
        self.r, self.prose = random.Random(seed), {}

    def learn(self, lang, texts):
        """Paragraphs that may serve as teasers and comments on pages of other sites."""
        self.prose.setdefault(lang, []).extend(t for t in texts if 40 <= len(t) <= 600)

    def copies(self, page, lang, site, texts, good, lengths):
        """(kind, bytes, gold text) of up to three copies of an article page. `good` are the blocks that gold holds."""
        html = decode(page)
        if html is None or len(html) > MOST_CHARACTERS:
            return
        total = sum(lengths[j] for j in good)
        if total >= 150 and sum(lengths[j] >= 15 for j in good) >= 4:
            seen = set()
            for _ in range(2):
                tree = parse(html)
                if tree is None:
                    return
                found = matched(tree, texts, good)
                if sum(lengths[j] for j, _ in found) < .85 * total:
                    break
                long = sorted(j for j, e in found if lengths[j] >= 12 and e.tag not in HEADINGS
                              and (e.getparent() is None or e.getparent().tag not in HEADINGS))
                keep = self.r.choice([1, 1, 2, 2, 3, 4, 5])
                if keep in seen or keep >= len(long):
                    continue
                seen.add(keep)
                gone = [(j, e) for j, e in found if j > long[keep - 1]]
                stay = [(j, e) for j, e in found if j <= long[keep - 1]]
                for _, element in gone:
                    if element.getparent() is not None:
                        element.drop_tree()
                dropped = {j for j, _ in gone}
                if self.r.random() < .35:
                    self.put_boxes(tree, [e for _, e in stay], lang, site)
                if self.r.random() < .5:
                    self.put_teasers(tree, [e for _, e in stay], lang)
                if self.r.random() < .3:
                    rename(tree, site)
                yield 'short', written(tree), '\n'.join(texts[j] for j in good if j not in dropped)
        if self.r.random() < .4:
            tree = parse(html)
            found = [] if tree is None else matched(tree, texts, good)
            if found and self.put_boxes(tree, [e for _, e in found], lang, site):
                if self.r.random() < .2:
                    rename(tree, site)
                yield 'boxed', written(tree), '\n'.join(texts[j] for j in good)
        if self.r.random() < .2:
            tree = parse(html)
            found = [] if tree is None else sorted(matched(tree, texts, good), key=lambda f: f[0])
            facts = self.put_facts(tree, found, lang) if found else None
            if facts:
                yield 'facts', written(tree), '\n'.join(t for j in good for t in ([texts[j], facts[1]] if j == facts[0] else [texts[j]]))

    def renamed(self, page, site, gold):
        """A page of any kind with its names drawn anew, now and then."""
        html = decode(page)
        if html is not None and len(html) <= MOST_CHARACTERS and self.r.random() < .4:
            tree = parse(html)
            if tree is not None:
                rename(tree, site)
                yield 'renamed', written(tree), gold

    def put_boxes(self, tree, places, lang, site):
        """Puts one to four boxes behind elements of the article; tells how many."""
        places = [e for e in places if e.getparent() is not None and e.tag in ('p', 'div', 'ul', 'ol', 'blockquote', 'figure')]
        if not places:
            return 0
        said = SAYINGS[BY_LANGUAGE.get((lang or 'en')[:2], 0)]
        count = self.r.choice([1, 1, 2, 3, 4])
        for kind in self.r.sample(KINDS, count):
            box = lxml.html.fromstring(self.box(kind, said[KINDS.index(kind)], said[3], lang, site))
            behind = places[-1] if kind in ('comments', 'author') or self.r.random() < .4 else self.r.choice(places)
            if kind == 'comments' or self.r.random() < .3:  # behind the article, outside its element
                up = behind.getparent()
                if up.tag not in ('body', 'html', 'td', 'tr') and up.getparent() is not None:
                    behind = up
            parent = behind.getparent()
            if kind in ('consent', 'wall', 'share', 'subscribe') and self.r.random() < .3:  # before the article
                box.tail = None
                first = places[0]
                first.getparent().insert(first.getparent().index(first), box)
                continue
            box.tail, behind.tail = behind.tail, None
            parent.insert(parent.index(behind) + 1, box)
        return count

    def put_teasers(self, tree, stay, lang):
        """Puts a list of teasers behind the last element of the article, or behind one around it."""
        ups = [e for e in [stay[-1], *stay[-1].iterancestors()]
               if e.getparent() is not None and e.tag not in ('html', 'body', 'td', 'tr', 'tbody', 'li', 'th', 'table')]
        texts = self.some(lang, self.r.choice([3, 4, 5, 6, 8]))
        if not ups or not texts:
            return
        behind = ups[-1] if self.r.random() < .5 else self.r.choice(ups)
        if behind.getparent().tag in ('ul', 'ol', 'dl', 'p', 'tr'):
            return
        r, further = self.r, SAYINGS[BY_LANGUAGE.get((lang or 'en')[:2], 0)][3].split('|')
        name = lambda names: ' class="%s"' % r.choice(names.split()) if r.random() < .7 else ''
        of_list, of_item = name(TEASER_LISTS), name('item card teaser story entry post box media')
        item = r.choice(['li', 'li', 'div', 'div', 'article'])
        shape = r.choice(['{a}<h3>{t}</h3></a>{p}', '<h3>{a}{t}</a></h3>{p}', '<h4>{a}{t}</a></h4><div>{x}</div>',
                          '{a}<b>{t}</b></a> {x}', '{a}<h3>{t}</h3>{p}</a>', '{a}<img src="/i.jpg" alt=""></a><h3>{a}{t}</a></h3>{p}',
                          '<h3>{t}</h3>{p}{a}%s</a>' % escape(r.choice(further))])
        items = ''.join('<%s%s>%s</%s>' % (item, of_item, shape.format(
            a='<a href="/s/%d">' % r.randint(1, 9999), t=escape(t[:r.randint(25, 70)]), x=escape(t), p='<p>%s</p>' % escape(t)), item)
            for t in texts)
        if item == 'li':
            items = '<ul>%s</ul>' % items
        head = '<%s>%s</%s>' % ((h := r.choice(['h2', 'h2', 'h3', 'div', 'p'])), escape(r.choice(further)), h) if r.random() < .7 else ''
        tag = r.choice(['section', 'div', 'div', 'aside'])
        box = lxml.html.fromstring('<%s%s>%s%s</%s>' % (tag, of_list, head, items, tag))
        parent = behind.getparent()
        box.tail, behind.tail = behind.tail, None
        parent.insert(parent.index(behind) + 1, box)

    def put_facts(self, tree, places, lang):
        """Puts a list or table of facts between two paragraphs of the article; the paragraph before it and its lines, or None."""
        words = [w for t in self.some(lang, 12) for w in (t.split() if lang not in ('zh', 'ja') else re.findall('.{1,4}', t))]
        places = [(j, e) for j, e in places if e.tag == 'p' and e.getparent() is not None and e.getparent().tag != 'blockquote']
        if len(places) < 2 or len(words) < 60:
            return None
        r = self.r
        j, behind = r.choice(places[:-1])

        def some(least, most):
            n, at = r.randint(least, most), r.randrange(len(words))
            return escape(' '.join(words[at:at + n]) if r.random() < .8 else str(r.choice([r.randint(1, 99), r.randint(1900, 2030), r.random() * 100])))
        count, shape = r.choice([2, 3, 4, 6, 9]), r.choice(['dl', 'dl', 'table', 'table', 'ul', 'ol', 'div'])
        long = r.random() < .4  # values that are sentences
        value = lambda: some(4, 20) if long else some(1, 5)
        if shape == 'dl':
            rows = [(some(1, 3), value()) for _ in range(count)]
            inner = ''.join('<dt>%s</dt><dd>%s</dd>' % row for row in rows)
        elif shape == 'table':
            width = r.choice([2, 2, 3, 4, 5])
            rows = [[some(1, 3)] + [value() for _ in range(width - 1)] for _ in range(count + 1)]
            cell = lambda i, k: 'th' if (i == 0 or k == 0) and r.random() < .7 else 'td'
            inner = ''.join('<tr>%s</tr>' % ''.join('<{0}>{1}</{0}>'.format(cell(i, k), c) for k, c in enumerate(row))
                            for i, row in enumerate(rows))
        elif shape == 'div':
            rows = [(some(1, 3), value()) for _ in range(count)]
            inner = ''.join('<div><span>%s</span> <span>%s</span></div>' % row for row in rows)
        else:
            rows = [(some(2, 20),) for _ in range(count)]
            inner = ''.join('<li>%s</li>' % row for row in rows)
        name = ' class="%s"' % r.choice('facts info data table-responsive details specs infobox list box key'.split()) if r.random() < .4 else ''
        box = lxml.html.fromstring('<{0}{1}>{2}</{0}>'.format(shape, name, inner))
        if r.random() < .2:
            outer = lxml.html.fromstring('<div></div>')
            outer.append(box)
            box = outer
        parent = behind.getparent()
        box.tail, behind.tail = behind.tail, None
        parent.insert(parent.index(behind) + 1, box)
        return j, '\n'.join(unescape(c) for row in rows for c in row)

    def box(self, kind, said, further, lang, site):
        r = self.r
        name = ' class="%s"' % r.choice(CLASSES[kind].split()) if r.random() < .8 else ''
        tag = r.choice(['div', 'div', 'section', 'aside'])
        who, parts = r.choice(NAMES), said.split('|')
        fill = lambda text: '<p>%s</p>' % text.replace('{}', who) if r.random() < .7 else '<div>%s</div>' % text.replace('{}', who)
        if kind == 'share':
            own = [p for p in parts if r.random() < .8] or parts[:1]
            body = ''.join('<a href="#">%s</a> ' % p for p in own) if r.random() < .6 else '<span>%s</span>' % ' · '.join(own)
        elif kind == 'related':
            teasers = [escape(t) for t in self.some(lang, r.randint(1, 5))]
            head = r.choice(parts)
            if r.random() < .25:  # a line between two paragraphs
                first = (teasers or ['News'])[0][:70]
                return '<p%s>%s: <a href="/x/%d">%s</a></p>' % (name, head, r.randint(1, 999), first)
            with_text = r.random() < .6
            body = '<h3>%s</h3>' % head + ''.join(
                '<div><a href="/x/%d">%s</a>%s</div>' % (r.randint(1, 9999), t[:60], '<p>%s</p>' % t if with_text else '')
                for t in teasers)
        elif kind == 'comments':
            body = ('<h3>%s</h3>' % parts[0] if r.random() < .75 else '') + ''.join(
                '<div><b>%s</b> <span>%d.%d.2019 %d:%02d</span><p>%s</p><a href="#">%s</a></div>' % (
                    parts[2].replace('{}', r.choice(NAMES)), r.randint(1, 28), r.randint(1, 12), r.randint(0, 23), r.randint(0, 59),
                    escape(t), parts[-1].replace('{}', ''))
                for t in self.some(lang, r.randint(1, 6))) + (fill(parts[1]) if r.random() < .5 else '')
        else:
            body = fill(said)
            if kind == 'subscribe' and r.random() < .6:
                body += '<input type="text"><button>OK</button>'
        return '<%s%s>%s</%s>' % (tag, name, body, tag)

    def some(self, lang, count):
        known = self.prose.get(lang) or self.prose.get('en') or []
        return self.r.sample(known, min(count, len(known)))
