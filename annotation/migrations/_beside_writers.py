"""Operations of migrations that are not atomic, so that on PostgreSQL nobody who judges waits for a large table."""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddIndex, AlterField
from django.db.migrations.state import ProjectState


class AddIndexBesideWriters(AddIndex):
    """On PostgreSQL the index is made while others write. What a migration that was broken off left of it goes first."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        how = "CONCURRENTLY " if schema_editor.connection.vendor == "postgresql" else ""
        schema_editor.execute(f"DROP INDEX {how}IF EXISTS {schema_editor.quote_name(self.index.name)}")
        model = to_state.apps.get_model(app_label, self.model_name)
        statement = self.index.create_sql(model, schema_editor, **({"concurrently": True} if how else {}))
        schema_editor.execute(statement, params=None)


class StopIndexing(AlterField):
    """A column without an index of its own from now on. SQLite drops that alone, for which Django makes the whole table
    anew; backwards it is made anew, all or nothing."""

    atomic = True

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        column, named = model._meta.get_field(self.name).column, [index.name for index in model._meta.indexes]
        for name in schema_editor._constraint_names(model, [column], index=True, unique=False, exclude=named):
            schema_editor.execute(f"DROP INDEX {schema_editor.quote_name(name)}")
