//! Tables read back with the reader of the parquet crate.

use super::*;
use crate::export::{Article, DocumentBlock, DocumentColumn, DocumentRecord, Toc, TocEntry};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field as Parsed;
use serde_json::{Value, json};
use std::fs::File;
use std::path::PathBuf;

fn page(at: usize) -> Document {
    let text = format!("Text {at}: \"quotes\", \0, \u{2028}, 灯塔 and שלום 👩‍👩‍👧\n");
    Document {
        id: format!("{at:032x}"),
        url: format!("https://example.org/{at}"),
        final_url: format!("https://example.org/{at}"),
        site: "example.org".to_owned(),
        fetched_at: "2024-05-01T00:00:00Z".to_owned(),
        status: 200,
        depth: 3,
        title: String::new(),
        lang: if at.is_multiple_of(2) { "en".to_owned() } else { String::new() },
        charset: "UTF-8".to_owned(),
        page_type: "article".to_owned(),
        text: text.clone(),
        article: at.is_multiple_of(3).then(|| Article {
            text: text.repeat(at % 5),
            html: format!("<p>{text}</p>"),
            markdown: text.clone(),
            title: "T".to_owned(),
            date: at.is_multiple_of(2).then(|| "2024-05-01".to_owned()),
            author: None,
        }),
        toc: at.is_multiple_of(4).then(|| Toc {
            links: (0..at % 3)
                .map(|link| TocEntry { url: format!("u{link}"), text: text.clone(), score: link as f64 / 3.0 })
                .collect(),
        }),
        blocks: (0..at % 2)
            .map(|block| DocumentBlock {
                kind: "article".to_owned(),
                step: "auto".to_owned(),
                path: format!("body > p:nth-child({block})"),
                text_len: u32::MAX,
                cii: None,
                sii: Some(0.1),
                api: None,
                score: 1.0,
            })
            .collect(),
        records: (0..at % 2)
            .map(|_| DocumentList {
                method: "auto",
                path: "ul".to_owned(),
                score: 0.5,
                records: (0..3)
                    .map(|record| DocumentRecord { text: format!("r{record}"), items: vec!["x".to_owned(); record] })
                    .collect(),
                columns: vec![
                    DocumentColumn { kind: "text", name: Some("Name".to_owned()) },
                    DocumentColumn { kind: "price", name: None },
                ],
                table: vec![vec!["a".to_owned(), String::new()]; if at % 3 == 1 { 4 } else { 3 }],
            })
            .collect(),
        duplicate_of: at.is_multiple_of(5).then(|| "https://example.org/1".to_owned()),
        method: if at.is_multiple_of(7) { String::new() } else { "auto".to_owned() },
        warnings: vec![String::from("w"); at % 3],
        lines: Vec::new(),
    }
}

fn write(dir: &Path, pages: usize, group_bytes: usize) {
    let mut sink = ParquetSink::with_groups(dir, group_bytes).expect("a new folder");
    for at in 0..pages {
        sink.add(&page(at), 1_714_521_600).expect("room");
    }
    sink.complete().expect("room");
}

/// The rows of a table as JSON, and the number of row groups.
fn read(dir: &Path, name: &str) -> (Vec<Value>, usize) {
    let file = File::open(dir.join(name)).expect("a table");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let rows =
        reader.get_row_iter(None).expect("rows").map(|row| as_json(&Parsed::Group(row.expect("a row")))).collect();
    (rows, reader.num_row_groups())
}

fn as_json(parsed: &Parsed) -> Value {
    match parsed {
        Parsed::Null => Value::Null,
        Parsed::Int(number) => json!(number),
        Parsed::Long(number) | Parsed::TimestampMicros(number) => json!(number),
        Parsed::Double(number) => json!(number),
        Parsed::Str(text) => json!(text),
        Parsed::ListInternal(list) => list.elements().iter().map(as_json).collect(),
        Parsed::Group(row) => {
            Value::Object(row.get_column_iter().map(|(name, cell)| (name.clone(), as_json(cell))).collect())
        }
        other => panic!("no table has {other:?}"),
    }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().expect("a folder for temporary files");
    let dir = root.path().join("tables");
    (root, dir)
}

const NAMES: [&str; 5] = ["documents.parquet", "blocks.parquet", "links.parquet", "records.parquet", "terms.parquet"];

#[test]
fn an_empty_export_has_all_tables() {
    let (_root, dir) = folder();
    write(&dir, 0, GROUP_BYTES);
    for name in NAMES {
        assert_eq!(read(&dir, name), (Vec::new(), 0), "{name}");
    }
}

#[test]
fn every_column_comes_back_whatever_the_row_groups() {
    let (_root, dir) = folder();
    for group_bytes in [1, 5000, GROUP_BYTES] {
        write(&dir, 60, group_bytes);
        let (documents, groups) = read(&dir, "documents.parquet");
        assert_eq!(documents.len(), 60);
        match group_bytes {
            1 => assert_eq!(groups, 60),
            GROUP_BYTES => assert_eq!(groups, 1),
            _ => assert!((3..60).contains(&groups)),
        }
        let (mut blocks, mut links, mut records) = (Vec::new(), Vec::new(), Vec::new());
        for (at, row) in documents.iter().enumerate() {
            let page = page(at);
            let known = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
            let article = page.article.as_ref();
            let wanted = json!({
                "id": page.id, "url": page.url, "final_url": page.final_url, "site": page.site, "fetched_at": 1_714_521_600_000_000_u64,
                "status": page.status, "depth": page.depth, "title": page.title, "lang": known(&page.lang),
                "charset": page.charset, "page_type": page.page_type, "text": page.text,
                "article_text": article.map(|a| &a.text), "article_html": article.map(|a| &a.html),
                "article_markdown": article.map(|a| &a.markdown), "article_title": article.map(|a| &a.title),
                "date": article.and_then(|a| a.date.as_ref()), "author": article.and_then(|a| a.author.as_ref()),
                "duplicate_of": page.duplicate_of, "method": known(&page.method), "warnings": page.warnings,
            });
            assert_eq!(*row, wanted);
            for (block, b) in page.blocks.iter().enumerate() {
                blocks.push(json!({
                    "document_id": page.id, "block": block, "kind": b.kind, "step": b.step, "path": b.path,
                    "text_len": b.text_len, "cii": b.cii, "sii": b.sii, "api": b.api, "score": b.score,
                }));
            }
            for (link, l) in page.toc.iter().flat_map(|toc| &toc.links).enumerate() {
                links.push(
                    json!({"document_id": page.id, "link": link, "url": l.url, "text": l.text, "score": l.score}),
                );
            }
            for (list, l) in page.records.iter().enumerate() {
                for (record, r) in l.records.iter().enumerate() {
                    records.push(json!({
                        "document_id": page.id, "list": list, "record": record, "method": l.method, "path": l.path,
                        "score": l.score, "text": r.text, "items": r.items,
                        "cells": (l.table.len() == 3).then(|| &l.table[record]),
                        "column_names": ["Name", null], "column_kinds": ["text", "price"],
                    }));
                }
            }
        }
        assert_eq!(read(&dir, "blocks.parquet").0, blocks);
        assert_eq!(read(&dir, "links.parquet").0, links);
        assert_eq!(read(&dir, "records.parquet").0, records);
    }
}

#[test]
fn what_is_taken_back_has_a_table_of_its_own() {
    let (root, dir) = folder();
    let mut sink = ParquetSink::create(&dir).expect("a new folder");
    sink.remove("0a", "https://example.org/gone").expect("room");
    sink.complete().expect("room");
    assert_eq!(read(&dir, "removed.parquet").0, [json!({"id": "0a", "url": "https://example.org/gone"})]);
    // A later export takes its place whole, and one that is dropped changes nothing.
    write(&dir, 1, GROUP_BYTES);
    assert!(!dir.join("removed.parquet").exists());
    drop(ParquetSink::create(&dir).expect("its place"));
    assert_eq!(read(&dir, "documents.parquet").0.len(), 1);
    assert_eq!(std::fs::read_dir(root.path()).expect("a folder").count(), 1);
}

#[test]
fn cells_of_another_kind_are_refused() {
    let (root, _) = folder();
    let path = root.path().join("t");
    let mut table = Table::create(&path, REMOVED, GROUP_BYTES).expect("a table");
    assert!(table.push(&[Cell::Text("a")]).is_err());
    assert!(table.push(&[Cell::Text("a"), Cell::Null]).is_err());
}
