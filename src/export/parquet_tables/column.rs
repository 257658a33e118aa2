//! A column of a table while its row group is collected: values, and the levels that tell where one is missing.

use parquet::column::writer::ColumnWriter;
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::writer::SerializedColumnWriter;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    /// A text or nothing.
    MaybeText,
    Int,
    Long,
    /// Microseconds since 1970, UTC.
    Time,
    Double,
    MaybeDouble,
    /// Texts in order.
    Texts,
    /// The same, or nothing.
    MaybeTexts,
    /// Texts in order, some of which may be missing.
    MaybeInTexts,
}

impl Kind {
    /// The column in the language of Parquet schemas.
    pub(super) fn declared(self, name: &str) -> String {
        let list = |list: &str, element: &str| {
            format!("{list} group {name} (LIST) {{ repeated group list {{ {element} binary element (STRING); }} }}")
        };
        match self {
            Self::Text => format!("required binary {name} (STRING);"),
            Self::MaybeText => format!("optional binary {name} (STRING);"),
            Self::Int => format!("required int32 {name};"),
            Self::Long => format!("required int64 {name};"),
            Self::Time => format!("required int64 {name} (TIMESTAMP(MICROS,true));"),
            Self::Double => format!("required double {name};"),
            Self::MaybeDouble => format!("optional double {name};"),
            Self::Texts => list("required", "required"),
            Self::MaybeTexts => list("optional", "required"),
            Self::MaybeInTexts => list("required", "optional"),
        }
    }
}

/// What stands in one row of a column.
#[derive(Clone, Debug)]
pub(super) enum Cell<'a> {
    Null,
    Text(&'a str),
    Number(i64),
    Double(f64),
    Texts(Vec<Option<&'a str>>),
}

impl<'a> From<Option<&'a str>> for Cell<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

impl From<Option<f64>> for Cell<'_> {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Null, Self::Double)
    }
}

/// A column of the row group at hand.
#[derive(Debug)]
pub(super) struct Column {
    kind: Kind,
    texts: Vec<ByteArray>,
    longs: Vec<i64>,
    doubles: Vec<f64>,
    /// For each entry how much of it is there (G. Melnik et al., *Dremel*, VLDB 2010); not for columns without gaps.
    definition: Vec<i16>,
    /// For each entry whether it goes on with a list.
    repetition: Vec<i16>,
}

impl Column {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            texts: Vec::new(),
            longs: Vec::new(),
            doubles: Vec::new(),
            definition: Vec::new(),
            repetition: Vec::new(),
        }
    }

    /// Adds a row. Gives the bytes that it takes, about.
    pub(super) fn push(&mut self, cell: &Cell<'_>) -> Result<usize> {
        match (self.kind, cell) {
            (Kind::Text | Kind::MaybeText, Cell::Text(text)) => {
                self.texts.push(bytes(text));
                self.definition.push(1);
                Ok(text.len() + 40)
            }
            (Kind::Int | Kind::Long | Kind::Time, Cell::Number(number)) => {
                self.longs.push(*number);
                Ok(8)
            }
            (Kind::Double | Kind::MaybeDouble, Cell::Double(number)) => {
                self.doubles.push(*number);
                self.definition.push(1);
                Ok(10)
            }
            (Kind::MaybeText | Kind::MaybeDouble | Kind::MaybeTexts, Cell::Null) => {
                self.definition.push(0);
                self.repetition.push(0);
                Ok(4)
            }
            (Kind::Texts | Kind::MaybeTexts | Kind::MaybeInTexts, Cell::Texts(texts)) => self.push_list(texts),
            (kind, cell) => Err(ParquetError::General(format!("{cell:?} does not belong in a column of {kind:?}"))),
        }
    }

    fn push_list(&mut self, texts: &[Option<&str>]) -> Result<usize> {
        // The level of a list that is there and empty; one more for an element, one more again where elements may be missing.
        let empty = i16::from(self.kind == Kind::MaybeTexts);
        let may_miss = self.kind == Kind::MaybeInTexts;
        if texts.is_empty() {
            self.definition.push(empty);
            self.repetition.push(0);
        }
        let mut size = 4;
        for (at, text) in texts.iter().enumerate() {
            self.repetition.push(i16::from(at > 0));
            match text {
                Some(text) => {
                    self.definition.push(empty + 1 + i16::from(may_miss));
                    self.texts.push(bytes(text));
                    size += text.len() + 44;
                }
                None if may_miss => self.definition.push(empty + 1),
                None => return Err(ParquetError::General("a list of texts has a gap".to_owned())),
            }
        }
        Ok(size)
    }

    /// Writes what was collected, and begins anew.
    pub(super) fn flush(&mut self, mut out: SerializedColumnWriter<'_>) -> Result<()> {
        let is_list = matches!(self.kind, Kind::Texts | Kind::MaybeTexts | Kind::MaybeInTexts);
        let has_gaps = is_list || matches!(self.kind, Kind::MaybeText | Kind::MaybeDouble);
        let definition = has_gaps.then_some(&*self.definition);
        let repetition = is_list.then_some(&*self.repetition);
        match out.untyped() {
            ColumnWriter::ByteArrayColumnWriter(_) => {
                out.typed::<ByteArrayType>().write_batch(&self.texts, definition, repetition)?;
            }
            ColumnWriter::DoubleColumnWriter(_) => {
                out.typed::<DoubleType>().write_batch(&self.doubles, definition, repetition)?;
            }
            ColumnWriter::Int32ColumnWriter(_) => {
                let ints: Vec<<Int32Type as DataType>::T> =
                    self.longs.iter().map(|&long| i32::try_from(long).unwrap_or(i32::MAX)).collect();
                out.typed::<Int32Type>().write_batch(&ints, definition, repetition)?;
            }
            _ => {
                out.typed::<Int64Type>().write_batch(&self.longs, definition, repetition)?;
            }
        }
        out.close()?;
        *self = Self::new(self.kind);
        Ok(())
    }
}

fn bytes(text: &str) -> ByteArray {
    ByteArray::from(text.as_bytes().to_vec())
}
