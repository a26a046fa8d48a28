"""Hashed secrets and small values, for programs that serve studies."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
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
