"""Who is behind a judge's id, apart from the log."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "juryrank_people",
        sa.Column("study", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("judge_key", sa.String(64), primary_key=True),
        sa.Column("judge", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("address", sa.Text),
    )
