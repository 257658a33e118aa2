"""A made site of any number of pages, always the same, and how much a command takes: for bench-export and bench-mine."""
import os
import random
import subprocess
import time

PER_SECTION = 48
SITE = "http://almanac.example"


def pages(count):
    """The pages of the site: URL and HTML."""
    dice = random.Random(2005)
    syllables = [a + b for a in "b d f g k l m n p r s t v st tr pl".split() for b in "a e i o u an er is".split()]
    words = ["".join(dice.choice(syllables) for _ in range(dice.choice((1, 2, 2, 3)))) for _ in range(20_000)]
    weights = [1 / (rank + 2) for rank in range(len(words))]
    total = 0
    cumulative = [total := total + weight for weight in weights]
    hanzi = [chr(dice.randrange(0x4E00, 0x9000)) for _ in range(1500)]

    def sentence():
        return " ".join(dice.choices(words, cum_weights=cumulative, k=dice.randrange(8, 24))).capitalize() + "."

    def chinese():
        return "".join(dice.choices(hanzi, k=dice.randrange(15, 40))) + "。"

    menu = "".join(f'<li><a href="/s{s}/">Section {words[s * 7]}</a></li>' for s in range(20))

    def page(title, body):
        return (f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} | Almanac</title></head><body>'
                f'<header><h1><a href="/">The Almanac</a></h1></header><nav><ul>{menu}</ul></nav><div id="main">{body}</div>'
                f'<footer><p>All pages of the almanac are made up. <a href="/">Front page</a></p></footer></body></html>')

    section = []
    for number in range(count):
        if number % (PER_SECTION + 1) == PER_SECTION:
            items = "".join(f'<li><h3><a href="{u}">{t}</a></h3><p>{sentence()}</p></li>' for u, t in section)
            yield f"{SITE}/s{number // (PER_SECTION + 1)}/", page(f"Section {number}", f"<ul>{items}</ul>")
            section = []
            continue
        url, title = f"/s{number // (PER_SECTION + 1)}/a{number}.html", sentence()[:60]
        section.append((url, title))
        speak = chinese if number % 8 == 7 else sentence
        body = "".join(f"<h3>{speak()[:30]}</h3>" * (at % 4 == 3) + f"<p>{' '.join(speak() for _ in range(dice.randrange(3, 7)))}</p>"
                       for at in range(dice.randrange(4, 10)))
        yield SITE + url, page(title, f"<article><h2>{title}</h2>{body}</article>")


def measure(*argv):
    """Runs a command: wall seconds, CPU seconds, peak resident MiB."""
    begun = time.monotonic()
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(argv)} ended with {process.returncode}")
    return time.monotonic() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
