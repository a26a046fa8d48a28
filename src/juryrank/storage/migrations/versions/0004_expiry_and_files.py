"""Credentials that expire or end with another one, and files by the hash of their content."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("juryrank_credentials", sa.Column("expires_at", sa.String(40)))
    op.add_column("juryrank_credentials", sa.Column("parent", sa.Integer))
    op.create_table(
        "juryrank_files",
        sa.Column("study", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
