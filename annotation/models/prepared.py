"""Statements that are compiled once: on the way of a judgment, building SQL takes longer than the database's answer.

A statement is written as a queryset, with a `Blank` wherever a value will stand, and compiled when it is first used;
from then on only its blanks are filled. What comes out is the same as from the queryset.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import BigIntegerField, CharField, DateTimeField, Expression, Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.models.sql import UpdateQuery

Row = TypeVar("Row", bound=Model)

OFTEN = 2  # so many times before a statement's plan is kept
KEY, MOMENT, WORD = BigIntegerField(), DateTimeField(null=True), CharField()


def _cursor() -> Any:
    """On PostgreSQL one by which the server keeps the plans of what it executes often. Not where queries are logged:
    of such a cursor Django cannot tell them.
    """
    if connection.vendor != "postgresql" or connection.queries_logged:
        return connection.cursor()
    connection.ensure_connection()
    wire: Any = connection.connection
    if wire.prepare_threshold is None:
        wire.prepare_threshold = OFTEN
    cursor = connection.Database.Cursor(wire)  # type: ignore[attr-defined] # the module psycopg
    return connection.make_cursor(cursor)


class Blank(Expression):
    """A value that is filled in at each use, under this name. `field` says what kind of value."""

    def __init__(self, name: str, field: "Field[Any, Any]") -> None:
        super().__init__(output_field=field)
        self.name = name

    def as_sql(self, _compiler: object, _connection: object) -> tuple[str, list["Blank"]]:  # type: ignore[override]
        return "%s", [self]

    def filled(self, values: dict[str, Any]) -> Any:
        return self.output_field.get_db_prep_value(values[self.name], connection=connection)


class _Statement:
    """SQL and its parameters, blanks among them."""

    def __init__(self) -> None:
        self._sql = ""
        self._parameters: Sequence[Any] = ()

    def _compile(self) -> None:
        raise NotImplementedError

    def _execute(self, cursor: Any, values: dict[str, Any]) -> Any:
        if not self._sql:
            self._compile()
        cursor.execute(self._sql, [p.filled(values) if isinstance(p, Blank) else p for p in self._parameters])
        return cursor


class Values(_Statement):
    """A queryset of values: a list of them for each row."""

    def __init__(self, make: "Callable[[], QuerySet[Any, Any]]") -> None:
        super().__init__()
        self._make = make

    def rows(self, **values: Any) -> list[list[Any]]:
        with _cursor() as cursor:
            found = self._execute(cursor, values).fetchall()
        return list(self._compiler.apply_converters(found, self._converters))

    def _compile(self) -> None:
        self._compiler: Any = self._make().query.get_compiler(connection=connection)
        sql, self._parameters = self._compiler.as_sql()
        self._converters = self._compiler.get_converters([column[0] for column in self._compiler.select])
        self._look(self._compiler)
        self._sql = sql  # last: another thread may ask meanwhile

    def _look(self, compiler: Any) -> None:
        """Note what the columns are."""


class Rows(Values, Generic[Row]):
    """A queryset of models, with what it joins and annotates."""

    def __init__(self, make: "Callable[[], QuerySet[Row]]") -> None:
        super().__init__(make)

    def all(self, **values: Any) -> list[Row]:
        return [self._model_of(row) for row in self.rows(**values)]

    def first(self, **values: Any) -> Row | None:
        return next(iter(self.all(**values)), None)

    def _look(self, compiler: Any) -> None:
        told, selected = compiler.klass_info, compiler.select
        own = told["select_fields"]
        self._span = slice(own[0], own[-1] + 1)
        self._names = [column[0].target.attname for column in selected[self._span]]
        self._class = told["model"]
        self._joined = get_related_populators(told, selected, connection.alias)  # type: ignore[call-arg]
        self._annotated = list((compiler.annotation_col_map or {}).items())

    def _model_of(self, row: list[Any]) -> Row:
        found: Row = self._class.from_db(connection.alias, self._names, row[self._span])
        for joined in self._joined:
            joined.populate(row, found)
        for name, place in self._annotated:
            setattr(found, name, row[place])
        return found


class Change(_Statement):
    """An UPDATE of the rows of a queryset to the given values."""

    def __init__(self, make: "Callable[[], QuerySet[Any]]", **changed: Any) -> None:
        super().__init__()
        self._make, self._changed = make, changed

    def apply(self, **values: Any) -> int:
        """How many rows it changed."""
        with _cursor() as cursor:
            return int(self._execute(cursor, values).rowcount)

    def _compile(self) -> None:
        query: Any = self._make().query.chain(UpdateQuery)
        query.add_update_values(self._changed)
        self._sql, self._parameters = query.get_compiler(connection=connection).as_sql()


class Addition(_Statement, Generic[Row]):
    """An INSERT of one row of a model, all columns but its key given."""

    def __init__(self, model: type[Row]) -> None:
        super().__init__()
        self._model = model

    def add(self, row: Row) -> Row:
        """The row, which has its key now."""
        if not self._sql:
            self._compile()
        values = [field.get_db_prep_save(getattr(row, field.attname), connection=connection) for field in self._fields]
        with _cursor() as cursor:
            cursor.execute(self._sql, values)
            row.pk = cursor.fetchone()[0]
        row._state.adding, row._state.db = False, connection.alias  # noqa: SLF001 -- what `save` does
        return row

    def _compile(self) -> None:
        told, quote = self._model._meta, connection.ops.quote_name  # noqa: SLF001 -- Django's name for it
        self._fields = [field for field in told.concrete_fields if not field.primary_key]
        names = ", ".join(quote(str(field.column)) for field in self._fields)
        marks = ", ".join(["%s"] * len(self._fields))
        key = quote(str(told.pk.column))
        self._sql = f"INSERT INTO {quote(told.db_table)} ({names}) VALUES ({marks}) RETURNING {key}"  # noqa: S608
