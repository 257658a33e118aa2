#!/usr/bin/env python3
"""A made site on which every second article is there under a second URL, to measure how duplicates are found.

    scripts/twin_pages.py make N > pages.jsonl      about N pages, as JSON lines for `wisdom import`
    scripts/twin_pages.py check export.jsonl        by kind of view: how many were found; and what was joined wrongly

The URL of a page says what it is: `/tale/K` is an article, and the other kinds of VIEWS are views of it. Beside them stand
pages that are alike and no duplicates (OTHERS). The words are made, and follow a Zipf law; the seed is fixed.
"""
import json
import random
import re
import sys
from collections import Counter

VIEWS = ['print', 'folder', 'amp', 'ref', 'param', 'canonical', 'archive', 'comments']
OTHERS = ['letter', 'stub', 'list', 'part', 'revised']
BASE = 'http://twins.test'


def words(rng, count=20000):
    parts = ['ba', 'do', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'sha', 'tre', 'gri', 'plo', 'ne', 'fu']
    found = set()
    while len(found) < count:
        found.add(''.join(rng.choice(parts) for _ in range(rng.randint(2, 4))))
    return sorted(found)


class Maker:
    def __init__(self):
        self.rng = random.Random(7)
        self.words = words(self.rng)
        self.weights = []
        total = 0
        for rank in range(len(self.words)):
            total += 1 / (rank + 2)
            self.weights.append(total)
        self.rng.shuffle(self.words)
        self.notice = self.sentence(40) + ' ' + self.sentence(30)
        self.form = [self.sentence(25) for _ in range(5)]
        self.promo = self.sentence(30)
        self.titles = []

    def sentence(self, count):
        found = self.rng.choices(self.words, cum_weights=self.weights, k=count)
        for at in range(7, count - 3, 9):
            found[at] += ','
        return ' '.join(found).capitalize() + '.'

    def story(self, sentences):
        return ['<p>%s</p>' % ' '.join(self.sentence(self.rng.randint(9, 24)) for _ in range(2)) for _ in range(sentences // 2)]

    def page(self, title, body, head='', print_view=False):
        if print_view:
            return '<html><head><title>%s</title>%s</head><body><h2>%s</h2>%s<p>%s</p><hr>Printed by the harbour</body></html>' % (
                title, head, title, body, self.notice)
        latest = ''.join('<li><a href="/tale/%d">%s</a>' % x for x in self.rng.sample(self.titles, min(5, len(self.titles))))
        return ('<html><head><title>%s - The Harbour</title>%s</head><body><ul class=menu><li><a href="/">Home</a><li><a href="/news">News</a>'
                '<li><a href="/about">About</a></ul><div class=main><h1>%s</h1>%s<p>%s</p></div><div class=side><p>%s</p><ul>%s</ul></div>'
                '<p class=foot>All rights are with the harbour.</p></body></html>') % (title, head, title, body, self.notice, self.promo, latest)

    def view(self, kind, number, title, story):
        canonical = '<link rel=canonical href="/tale/%d">' % number
        body = ''.join(story)
        related = '<div class=related><h3>Read more</h3>%s</div>' % ''.join(
            '<p><a href="/tale/%d">%s</a>' % x for x in self.rng.sample(self.titles, min(4, len(self.titles))))
        if kind == 'print':
            return '/tale/%d?print=1' % number, self.page(title, body, print_view=True)
        if kind == 'folder':
            return '/print/tale/%d' % number, self.page(title, body, print_view=True)
        if kind == 'amp':
            return '/amp/tale/%d' % number, self.page(title, body + related, canonical)
        if kind == 'ref':
            return '/tale/%d?ref=x%d' % (number, number % 97), self.page(title, body)
        if kind == 'param':
            return '/tale/%d?visit=%d' % (number, number * 31), self.page(title, body)
        if kind == 'canonical':
            return '/canonical/%d' % number, self.page(title, body + related, canonical)
        if kind == 'archive':
            return '/archive/%d' % number, self.page(title, body)
        comments = ''.join('<li class=comment><p>%s' % self.sentence(20) for _ in range(3))
        return '/comments/%d' % number, self.page(title, body + '<ol class=comments>%s</ol>' % comments)

    def other(self, kind, number):
        title = self.sentence(5)[:-1].replace(',', '')
        if kind == 'letter':
            body = ''.join('<p>%s' % s for s in self.form) + '<p>To %s.' % title
            return '/letter/%d' % number, self.page('To ' + title, body)
        if kind == 'stub':
            return '/stub/%d' % number, self.page(title, '<p>%s' % self.form[0])
        if kind == 'list':
            some = ''.join('<div><h2><a href="/tale/%d">%s</a></h2><p>%s</div>' % (at, t, self.form[at % 5])
                           for at, t in self.titles[:4])
            return '/list/%d' % number, self.page(title, some)
        if kind == 'part':
            head = '<link rel=canonical href="/part/%d">' % number if number % 2 else ''
            return '/part/%d' % number + ('?page=2' if number % 2 else ''), self.page('A serial', ''.join(self.story(10)), head)
        story = self.story(12)
        first = self.page(title, ''.join(story))
        story[1:3] = self.story(4)
        return '/revised/%d' % number, first, '/revised/%d/second' % number, self.page(title, ''.join(story))


def make(count):
    maker, made, number = Maker(), 0, 0

    def put(path, html):
        print(json.dumps({'url': BASE + path, 'html': html}))

    while made < count:
        title = maker.sentence(6)[:-1].replace(',', '')
        story = maker.story(maker.rng.choice([4, 8, 12, 20]))
        maker.titles.append((number, title))
        put('/tale/%d' % number, maker.page(title, ''.join(story)))
        made += 1
        if number % 2:
            put(*maker.view(VIEWS[number // 2 % len(VIEWS)], number, title, story))
            made += 1
        if number % 10 == 3:
            pages = maker.other(OTHERS[number // 10 % len(OTHERS)], number // 10)
            for at in range(0, len(pages), 2):
                put(*pages[at:at + 2])
                made += 1
        number += 1


def kind_of(path):
    for kind, pattern in [('print', r'^/tale/(\d+)\?print=1$'), ('folder', r'^/print/tale/(\d+)$'), ('amp', r'^/amp/tale/(\d+)$'),
                          ('ref', r'^/tale/(\d+)\?ref='), ('param', r'^/tale/(\d+)\?visit='), ('canonical', r'^/canonical/(\d+)$'),
                          ('archive', r'^/archive/(\d+)$'), ('comments', r'^/comments/(\d+)$')]:
        found = re.match(pattern, path)
        if found:
            return kind, int(found.group(1))
    return path.split('/')[1], None


def check(name):
    total, found, wrong, pages = Counter(), Counter(), Counter(), 0
    for line in open(name, encoding='utf-8'):
        document = json.loads(line)
        pages += 1
        path, original = document['url'][len(BASE):], (document.get('duplicate_of') or '')[len(BASE):]
        kind, number = kind_of(path)
        total[kind] += 1
        if number is not None and original == '/tale/%d' % number:
            found[kind] += 1
        elif original:
            wrong[kind] += 1
            if sum(wrong.values()) <= 10:
                print('wrong: %s repeats %s' % (path, original))
    print('%d pages, %d duplicates found, %d joined wrongly' % (pages, sum(found.values()), sum(wrong.values())))
    for kind in total:
        if kind in VIEWS:
            print('  %-10s %6d of %6d' % (kind, found[kind], total[kind]))
        elif wrong[kind]:
            print('  %-10s %6d wrong of %6d' % (kind, wrong[kind], total[kind]))


if __name__ == '__main__':
    if len(sys.argv) == 3 and sys.argv[1] == 'make':
        make(int(sys.argv[2]))
    elif len(sys.argv) == 3 and sys.argv[1] == 'check':
        check(sys.argv[2])
    else:
        sys.exit(__doc__)
