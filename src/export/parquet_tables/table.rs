//! A table on its way to a file.

use super::column::{Cell, Column, Kind};
use parquet::basic::Compression;
use parquet::errors::{ParquetError, Result};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

/// A file of one table. Rows are collected up to a size, and then written as a row group, so that memory does not grow with
/// their number.
pub(super) struct Table {
    file: SerializedFileWriter<BufWriter<File>>,
    columns: Vec<Column>,
    /// Bytes of a row group, about.
    limit: usize,
    bytes: usize,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Table")
            .field("columns", &self.columns.len())
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl Table {
    /// Begins the file of a table with these columns.
    pub(super) fn create(path: &Path, columns: &[(&str, Kind)], limit: usize) -> Result<Self> {
        let declared: Vec<String> = columns.iter().map(|(name, kind)| kind.declared(name)).collect();
        let schema = parse_message_type(&format!("message wisdom {{ {} }}", declared.join(" ")))?;
        // Snappy is what every reader has.
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let file = BufWriter::new(File::create(path)?);
        let file = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties))?;
        Ok(Self { file, columns: columns.iter().map(|(_, kind)| Column::new(*kind)).collect(), limit, bytes: 0 })
    }

    /// Adds a row: a cell for each column.
    pub(super) fn push(&mut self, row: &[Cell<'_>]) -> Result<()> {
        if row.len() != self.columns.len() {
            return Err(ParquetError::General(format!("{} cells for {} columns", row.len(), self.columns.len())));
        }
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.bytes += column.push(cell)?;
        }
        if self.bytes >= self.limit { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        if self.bytes == 0 {
            return Ok(());
        }
        let mut group = self.file.next_row_group()?;
        for column in &mut self.columns {
            let out = group.next_column()?;
            column.flush(out.ok_or_else(|| ParquetError::General("a column is missing".to_owned()))?)?;
        }
        group.close()?;
        self.bytes = 0;
        Ok(())
    }

    /// Writes the rest, and waits until all is on disk.
    pub(super) fn finish(mut self) -> Result<()> {
        self.flush()?;
        let file = self.file.into_inner()?.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        Ok(file.sync_all()?)
    }
}
