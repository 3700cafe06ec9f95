"""Statements that are compiled once, on the way of a judgment and at every request: building SQL
takes longer than the database's answer.

A statement is written as a queryset, with a `Blank` wherever a value will stand, and compiled when
it is first used; from then on only its blanks are filled. What comes out is the same as from the
queryset.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from operator import attrgetter, methodcaller
from threading import RLock
from typing import Any, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX
from django.db.models import (
    BigIntegerField,
    BooleanField,
    CharField,
    DateTimeField,
    Expression,
    Field,
    ForeignKey,
    IntegerField,
    Model,
    QuerySet,
    TextField,
)
from django.db.models.base import ModelState
from django.db.models.sql import UpdateQuery

Row = TypeVar("Row", bound=Model)

OFTEN = 2  # so many times before a statement's plan is kept
KEY, MOMENT, WORD = BigIntegerField(), DateTimeField(null=True), CharField()
PLAIN = (BooleanField, CharField, ForeignKey, IntegerField, TextField)  # their values go to the database as they are
_COMPILING = RLock()


def _execute(connection: Any, sql: str, parameters: Sequence[Any], take: Callable[[Any], Any]) -> Any:
    """What `take` makes of the cursor. Past Django's cursors, which look at every statement anew, unless somebody
    listens to what they execute. On PostgreSQL the server keeps the plans of what it executes often.
    """
    if connection.queries_logged or connection.execute_wrappers:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            return take(cursor)
    if connection.connection is None:
        connection.ensure_connection()
    connection.validate_no_broken_transaction()
    wire = connection.connection
    with connection.wrap_database_errors:
        if connection.vendor == "sqlite":
            return take(wire.execute(_with_question_marks(sql), parameters))
        if wire.prepare_threshold is None:
            wire.prepare_threshold = OFTEN
        with connection.Database.Cursor(wire) as cursor:
            cursor.execute(sql, parameters)
            return take(cursor)


@cache
def _with_question_marks(sql: str) -> str:
    """As SQLite wants it, and as Django's cursor writes it anew each time."""
    return FORMAT_QMARK_REGEX.sub("?", sql).replace("%%", "%")


def _here() -> BaseDatabaseWrapper:
    return connections[DEFAULT_DB_ALIAS]


class Blank(Expression):
    """A value that is filled in at each use, under this name. `field` says what kind of value."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, _compiler: object, _connection: object) -> tuple[str, list["Blank"]]:  # type: ignore[override]
        return "%s", [self]


class Literal(Expression):
    """A word or number that stands in the statement itself: the plan that is kept for a statement can then use an index
    of the rows that have it, and knows how many these are, which it does not where it is filled in.
    """

    def __init__(self, value: str | int) -> None:
        super().__init__(output_field=WORD if isinstance(value, str) else KEY)
        if isinstance(value, str) and not value.isalpha():
            raise ValueError(f"not a word: {value!r}")
        self.sql = f"'{value}'" if isinstance(value, str) else str(int(value))

    def as_sql(self, _compiler: object, _connection: object) -> tuple[str, list[Any]]:  # type: ignore[override]
        return self.sql, []


class _Statement:
    """SQL and its parameters, blanks among them."""

    def __init__(self) -> None:
        self._sql = ""
        self._names: Sequence[str | int] = ()  # of each parameter that of its blank, or its number among the fixed ones
        self._fixed: dict[str | int, Any] = {}
        self._adapted: dict[str, Field[Any, Any]] = {}  # blanks whose value does not go to the database as it is

    def _compile(self, connection: BaseDatabaseWrapper) -> None:
        """`_sql` is set last: another thread may ask meanwhile whether it is there."""
        raise NotImplementedError

    def _take_parameters(self, parameters: Sequence[Any]) -> None:
        blanks = [each for each in parameters if isinstance(each, Blank)]
        self._names = [p.name if isinstance(p, Blank) else n for n, p in enumerate(parameters)]
        self._fixed = {n: p for n, p in enumerate(parameters) if not isinstance(p, Blank)}
        self._adapted = {each.name: each.output_field for each in blanks if each.output_field not in (KEY, WORD)}

    def _ready(self) -> BaseDatabaseWrapper:
        """The connection of this thread; the statement is compiled by then, once for all threads."""
        connection = _here()
        if not self._sql:
            with _COMPILING:
                if not self._sql:
                    self._compile(connection)
        return connection

    def _execute(self, values: dict[str, Any], take: Callable[[Any], Any]) -> Any:
        connection = self._ready()
        filled = self._fixed | values
        for name, field in self._adapted.items():
            filled[name] = field.get_db_prep_value(values[name], connection=connection)
        return _execute(connection, self._sql, [filled[name] for name in self._names], take)


class Values(_Statement):
    """A queryset of values: a list of them for each row."""

    def __init__(self, make: "Callable[[], QuerySet[Any, Any]]") -> None:
        super().__init__()
        self._make = make

    def rows(self, **values: Any) -> list[list[Any]]:
        rows = self._execute(values, methodcaller("fetchall"))
        return list(self._compiler.apply_converters(rows, self._converters)) if rows else []

    def _compile(self, connection: BaseDatabaseWrapper) -> None:
        self._compiler: Any = self._make().query.get_compiler(connection=connection)
        sql, parameters = self._compiler.as_sql()
        self._take_parameters(parameters)
        self._converters = self._compiler.get_converters([column[0] for column in self._compiler.select])
        self._note_columns(self._compiler)
        self._sql = sql

    def _note_columns(self, compiler: Any) -> None:
        """Note what the columns are."""


class Rows(Values, Generic[Row]):
    """A queryset of models with all their fields, with what it joins and annotates."""

    def __init__(self, make: "Callable[[], QuerySet[Row]]") -> None:
        super().__init__(make)

    def all(self, **values: Any) -> list[Row]:
        return [self._model_of(row) for row in self.rows(**values)]

    def first(self, **values: Any) -> Row | None:
        return next(iter(self.all(**values)), None)

    def _note_columns(self, compiler: Any) -> None:
        self._columns = _ModelColumns(compiler.klass_info, compiler.select)
        self._annotated = list((compiler.annotation_col_map or {}).items())

    def _model_of(self, row: list[Any]) -> Row:
        instance: Row = self._columns.model_of(row)
        for name, index in self._annotated:
            setattr(instance, name, row[index])
        return instance


class _ModelColumns:
    """Which columns of a row make which model, and the models that are joined to it.

    What `Model.from_db` and `select_related` make of a row, without asking for each field whether it is there.
    """

    def __init__(self, klass_info: Any, select: Any) -> None:
        own = klass_info["select_fields"]
        self.model = klass_info["model"]
        self.span = slice(own[0], own[-1] + 1)
        self.names = [column[0].target.attname for column in select[self.span]]
        self.key = own[0] + self.names.index(self.model._meta.pk.attname)  # noqa: SLF001 -- Django's name for it
        self.joined = [
            (_ModelColumns(each, select), each["local_setter"], each["remote_setter"])
            for each in klass_info.get("related_klass_infos", [])
        ]

    def model_of(self, row: list[Any]) -> Any:
        """None where nothing is joined."""
        if row[self.key] is None:
            return None
        instance = self.model.__new__(self.model)
        instance.__dict__.update(zip(self.names, row[self.span], strict=True), _state=_state())
        for columns, set_here, set_there in self.joined:
            other = columns.model_of(row)
            set_here(instance, other)
            if other is not None:
                set_there(other, instance)
        return instance


def _state() -> ModelState:
    state = ModelState()
    state.adding, state.db = False, DEFAULT_DB_ALIAS
    return state


class Update(_Statement):
    """An UPDATE of the rows of a queryset to the given values."""

    def __init__(self, make: "Callable[[], QuerySet[Any]]", **changed: Any) -> None:
        super().__init__()
        self._make, self._changed = make, changed

    def apply(self, **values: Any) -> int:
        """How many rows it changed."""
        return int(self._execute(values, attrgetter("rowcount")))

    def _compile(self, connection: BaseDatabaseWrapper) -> None:
        query: Any = self._make().query.chain(UpdateQuery)
        query.add_update_values(self._changed)
        sql, parameters = query.get_compiler(connection=connection).as_sql()
        self._take_parameters(parameters)
        self._sql = sql


def apply_together(changes: "Sequence[tuple[Update, dict[str, Any]]]") -> None:
    """Apply changes of which nobody asks how many rows they changed: to PostgreSQL they go in one trip."""
    connection = _here()
    with connection.wrap_database_errors, _pipeline(connection):
        for change, values in changes:
            change.apply(**values)


def _pipeline(connection: Any) -> AbstractContextManager[Any]:
    """None where queries are logged: one by one they can be told apart."""
    if connection.vendor != "postgresql" or connection.queries_logged:
        return nullcontext()
    connection.ensure_connection()
    return cast("AbstractContextManager[Any]", connection.connection.pipeline())


class Insert(_Statement, Generic[Row]):
    """An INSERT of one row of a model, all columns but its key given."""

    def __init__(self, model: type[Row]) -> None:
        super().__init__()
        self._model = model

    def add(self, row: Row) -> Row:
        """The row, which has its key now."""
        connection, columns = self._ready(), vars(row)
        values = [
            columns[field.attname] if is_plain else field.get_db_prep_save(columns[field.attname], connection)
            for field, is_plain in self._fields
        ]
        row.pk = _execute(connection, self._sql, values, methodcaller("fetchone"))[0]
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 -- as `save` leaves it
        return row

    def _compile(self, connection: BaseDatabaseWrapper) -> None:
        meta, quote = self._model._meta, connection.ops.quote_name  # noqa: SLF001 -- Django's name for it
        fields = [field for field in meta.concrete_fields if not field.primary_key]
        self._fields = [(field, isinstance(field, PLAIN)) for field in fields]
        names = ", ".join(quote(str(field.column)) for field in fields)
        marks = ", ".join(["%s"] * len(fields))
        key = quote(str(meta.pk.column))
        self._sql = f"INSERT INTO {quote(meta.db_table)} ({names}) VALUES ({marks}) RETURNING {key}"  # noqa: S608
