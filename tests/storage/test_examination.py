"""Every storage passes the same examination."""

from __future__ import annotations

import pytest

from juryrank.storage import MemoryStorage, open_storage
from tests.storage.examination import StorageExamination


class TestMemory(StorageExamination):
    @pytest.fixture
    def storage(self):
        return MemoryStorage()


class TestSqlite(StorageExamination):
    @pytest.fixture
    def storage(self, tmp_path):
        storage = open_storage(f"sqlite:///{tmp_path}/it's 100% mine.db")
        yield storage
        storage.close()

    def reopened(self, storage):
        return open_storage(storage.url)


@pytest.mark.postgres
@pytest.mark.xdist_group("postgres")
class TestPostgresql(StorageExamination):
    @pytest.fixture
    def storage(self, postgres_url):
        storage = open_storage(postgres_url)
        yield storage
        storage.close()

    def reopened(self, storage):
        return open_storage(storage.url)
