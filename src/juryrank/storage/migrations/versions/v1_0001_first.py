"""Studies with their logs and snapshots; people, secrets, notes and files beside them."""

import sqlalchemy as sa
from alembic import op

revision = "v1_0001"
down_revision = None


def upgrade() -> None:
    logs()
    beside_them()


def logs() -> None:
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


def beside_them() -> None:
    op.create_table(
        "juryrank_people",
        sa.Column("study", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("judge_key", sa.String(64), primary_key=True),
        sa.Column("judge", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("address", sa.Text),
    )
    op.create_table(
        "juryrank_credentials",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("study", sa.Integer, nullable=False),
        sa.Column("judge", sa.Text),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("created_at", sa.String(40), nullable=False),
        sa.Column("revoked_at", sa.String(40)),
        sa.Column("expires_at", sa.String(40)),
        sa.Column("parent", sa.Integer),
        sqlite_autoincrement=True,
    )
    op.create_index("juryrank_credentials_hash", "juryrank_credentials", ["hash"])
    op.create_index("juryrank_credentials_study", "juryrank_credentials", ["study"])
    op.create_table(
        "juryrank_notes",
        sa.Column("study", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(200), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "juryrank_files",
        sa.Column("study", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
