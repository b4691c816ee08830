"""Which column of a table is the title, the text, the date: by its name, then by what it holds."""

import difflib
import re
import statistics
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from narrative_core.errors import InvalidInput
from narrative_core.ingest.dates import parse_date
from narrative_core.ingest.raw_rows import listed
from narrative_core.ingest.tables import RawTable
from narrative_core.ingest.vector_columns import find_vector_column

_SYNONYMS: Mapping[str, str] = {
    "document_id": "documentid docid articleid storyid paperid uuid guid id key identifier",
    "title": "title headline heading head header subject name webtitle titular título titulo titre titolo titel "
    "überschrift schlagzeile titulares заголовок название тема 标题 標題 题目 題目 新闻标题 新聞標題 العنوان عنوان "
    "عنوانالخبر",
    "text": "text fulltext maintext bodytext textbody body content contents article story abstract summary description "
    "transcript speech message lead snippet excerpt texto contenido cuerpo texte contenu testo inhalt текст "
    "содержание статья cuerpodelanoticia noticia artículo articulo 正文 内容 內容 文本 内文 內文 全文 "
    "新闻内容 النص نص المحتوى نصالخبر الخبر المقال",
    "date": "date published publishedat publishedon publisheddate publishdate publicationdate datepublished pubdate "
    "datetime publisheddatetime timestamp time created createdat createddate datecreated issued issuedate day "
    "publicationyear publishedyear pubyear year fecha fechadepublicación fechadepublicacion datum "
    "дата датапубликации 日期 时间 時間 发布时间 發布時間 发布日期 發布日期 التاريخ تاريخ تاريخالنشر",
    "source": "source sourcename outlet publisher publication newspaper media medium venue journal conference site "
    "domain website author speaker fuente medio fonte quelle medium источник сми издание periódico "
    "periodico газета 来源 來源 媒体 媒體 报纸 報紙 المصدر مصدر الصحيفة",
    "url": "url link weburl href uri permalink sourceurl address doi enlace ссылка 链接 連結 網址 网址 الرابط",
}
_LAST_WORDS: Mapping[str, str] = {
    "title": "title headline",
    "text": "text body content abstract",
    "date": "date published",
    "source": "source outlet publisher",
    "url": "url link",
}
_SAMPLE_ROWS = 500
_MIN_WORDS = 8
_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
"""Characters of scripts that put no space between words; two of them are about one word."""

_MIN_DATED_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """The column for each part of a document, and for its vector; "" where there is none."""

    title: str = ""
    text: str = ""
    date: str = ""
    source: str = ""
    url: str = ""
    document_id: str = ""
    vectors: str = ""

    def chosen(self) -> dict[str, str]:
        """Return {part: column} of the parts that have a column."""
        pairs = {part.name: getattr(self, part.name) for part in fields(self)}
        return {part: column for part, column in pairs.items() if column}


def detect_columns(table: RawTable) -> ColumnChoice:
    """Return the columns that a table most likely means; change one with `dataclasses.replace`.

    A name decides, whatever its case, blanks, hyphens and underscores ("Pub_Date" is a date): first whole names, in
    the order of their likelihood, then last words ("article_text"). Without a fitting name the text is the column of
    the longest prose, and the date a column of which at least 80 % read as dates. Vectors are told by what the columns
    hold alone.

    Returns
    -------
    ColumnChoice
        Never raises; `check_columns` says whether it will do.

    Examples
    --------
    >>> from narrative_core.ingest.tables import read_table
    >>> detect_columns(read_table(b"Headline,Body,Pub date\\na,b,2021\\n", "f.csv")).chosen()
    {'title': 'Headline', 'text': 'Body', 'date': 'Pub date'}
    """
    by_part: dict[str, str] = {}
    for matching in (_whole_name, _last_word):
        for part in _SYNONYMS:
            free = [column for column in table.columns if column not in by_part.values()]
            if part not in by_part and (column := matching(part, free)):
                by_part[part] = column
    choice = ColumnChoice(**by_part)
    choice = replace(choice, vectors=find_vector_column(table, _free(table, choice)))
    if not choice.date:
        choice = replace(choice, date=_dates_by_content(table, _free(table, choice)))
    if not choice.text:
        choice = replace(choice, text=_prose_by_content(table, _free(table, choice)))
    return choice


def check_columns(table: RawTable, choice: ColumnChoice) -> None:
    """Raise where documents cannot be made with this choice.

    Raises
    ------
    InvalidInput
        If a chosen column is not in the table, title and text are one column, or there is neither a title nor a text.
    """
    for part, column in choice.chosen().items():
        if column not in table.columns and not (part == "vectors" and column in table.vectors):
            near = difflib.get_close_matches(column, table.columns, n=1)
            hint = f' Did you mean "{near[0]}"?' if near else ""
            raise InvalidInput(
                f'the {_part_name(part)} column must be in the file; "{column}" is not among {_found(table)}.{hint}'
            )
    if not choice.text and not choice.title:
        raise InvalidInput(
            f"a table must have a column of text or titles; none of its columns looks like one ({_found(table)}): "
            'name one of them "text" in the first row, or choose the column yourself.'
        )
    if choice.text == choice.title:
        raise InvalidInput(
            f'title and text must be two columns; both are "{choice.text}". Leave the title empty: it is then made of '
            "the opening words."
        )


def _whole_name(part: str, columns: list[str]) -> str:
    by_name = {_letters(column): column for column in reversed(columns)}
    return next((by_name[name] for name in _SYNONYMS[part].split() if name in by_name), "")


def _last_word(part: str, columns: list[str]) -> str:
    by_word = {_words(column)[-1]: column for column in reversed(columns) if _words(column)}
    return next((by_word[word] for word in _LAST_WORDS.get(part, "").split() if word in by_word), "")


def _letters(name: str) -> str:
    return "".join(_words(name))


def _words(name: str) -> list[str]:
    split_camel_case = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFKC", name))
    return re.findall(r"[^\W_]+", split_camel_case.casefold())


def _free(table: RawTable, choice: ColumnChoice) -> list[str]:
    taken = choice.chosen().values()
    return [column for column in table.columns if column not in taken]


def _sample(table: RawTable, column: str) -> list[str]:
    position = table.columns.index(column)
    return [row[position] for row in table.rows[:_SAMPLE_ROWS] if row[position].strip()]


def _dates_by_content(table: RawTable, columns: list[str]) -> str:
    for column in columns:
        values = _sample(table, column)
        # Bare numbers can be dates (2021, 20210711) but are far more often counts or identifiers.
        dated = [not value.strip().isdigit() and parse_date(value, "day first") is not None for value in values]
        dated_other = [not value.strip().isdigit() and parse_date(value, "month first") is not None for value in values]
        if values and sum(map(max, dated, dated_other)) >= _MIN_DATED_SHARE * len(values):
            return column
    return ""


def _prose_by_content(table: RawTable, columns: list[str]) -> str:
    lengths: dict[str, float] = {}
    for column in columns:
        n_words = [_n_words(value) for value in _sample(table, column)]
        lengths[column] = statistics.median(n_words) if n_words else 0.0
    best = max(lengths, key=lambda column: lengths[column], default="")
    return best if best and lengths[best] >= _MIN_WORDS else ""


def _n_words(value: str) -> int:
    return len(value.split()) + len(_WITHOUT_SPACES.findall(value)) // 2


def _part_name(part: str) -> str:
    return part.replace("document_", "")


def _found(table: RawTable) -> str:
    return listed([f'"{column}"' for column in table.columns])
