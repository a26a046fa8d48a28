"""Alembic's entry: runs the migrations on the connection that `juryrank.storage.engine` hands over."""

from alembic import context

from juryrank.storage.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transaction_per_migration=False,
)
context.run_migrations()
