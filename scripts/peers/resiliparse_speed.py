#!/usr/bin/env python3
"""How fast Resiliparse (a C++ extractor, called from Python) extracts pages, beside the runner of this folder.

    cargo build --release --manifest-path scripts/peers/Cargo.toml
    python3 scripts/peers/resiliparse_speed.py [--rounds 7] [--bin scripts/peers/target/release/peers] FOLDER...

Needs the package `resiliparse`. Pages are read and decoded first. In each round wisdom and dom_smoothie run once
over all pages (a process of the runner), then Resiliparse does, `main_content=True`, on one thread; the ratios are the
medians of the ratios within a round. Time is processor time.
"""

import argparse
import pathlib
import re
import statistics
import subprocess
import time

from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

HERE = pathlib.Path(__file__).resolve().parent


def decoded(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return bytes_to_str(data, detect_encoding(data))


def run(pages):
    start = time.process_time()
    for page in pages:
        extract_plain_text(page, main_content=True)
    return time.process_time() - start


def peers(binary, folders):
    """MB/s of each contender of the runner, in one round."""
    command = [binary, "--rounds", "1", "--only", "wisdom", "--only", "dom_smoothie", *folders]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {name: float(speed) for name, speed in re.findall(r"^(wisdom|dom_smoothie) +([\d.]+)", out, re.M)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--bin", default=str(HERE / "target/release/peers"))
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    files = sorted(file for folder in args.folders for file in pathlib.Path(folder).glob("*.htm*"))
    pages = [decoded(file.read_bytes()) for file in files]
    megabytes = sum(len(page.encode("utf-8", "replace")) for page in pages) / 1e6
    print(f"{len(pages)} pages, {megabytes:.1f} MB, median of {args.rounds} rounds, one thread")
    run(pages)
    rounds = []
    for _ in range(args.rounds):
        speeds = peers(args.bin, args.folders)
        speeds["resiliparse"] = megabytes / run(pages)
        rounds.append(speeds)
    for name in ("dom_smoothie", "wisdom", "resiliparse"):
        speed = statistics.median(speeds[name] for speeds in rounds)
        ratio = statistics.median(speeds[name] / speeds["dom_smoothie"] for speeds in rounds)
        print(f"{name:14} {speed:8.1f} MB/s  {ratio:5.2f} times dom_smoothie")


if __name__ == "__main__":
    main()
