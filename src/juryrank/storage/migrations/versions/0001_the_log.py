"""Studies, their logs, and snapshots."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "juryrank_studies",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("name_key", sa.String(64), nullable=False, unique=True),
        sa.Column("created_at", sa.String(40), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "juryrank_events",
        sa.Column("study", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("q", sa.BigInteger),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("juryrank_events_q", "juryrank_events", ["study", "q"], sqlite_where=sa.text("q IS NOT NULL"))
    op.create_table(
        "juryrank_snapshots",
        sa.Column("study", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("body", sa.Text, nullable=False),
    )
