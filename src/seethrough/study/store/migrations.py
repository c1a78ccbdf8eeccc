"""The store's tables, version by version. A store of an earlier version is brought up step by step; none is removed."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (),
    (
        """
        CREATE TABLE study (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            form TEXT NOT NULL,
            seed INTEGER NOT NULL,
            title TEXT NOT NULL,
            source TEXT NOT NULL,
            plan TEXT NOT NULL,
            figures TEXT NOT NULL,
            data TEXT NOT NULL,
            begun TEXT NOT NULL,
            UNIQUE (name, form)
        )
        """,
        """
        CREATE TABLE cell (
            key TEXT PRIMARY KEY,
            status TEXT NOT NULL,
            value REAL,
            result TEXT NOT NULL,
            error TEXT NOT NULL,
            seconds REAL NOT NULL,
            attempts INTEGER NOT NULL,
            version TEXT NOT NULL,
            finished TEXT NOT NULL
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE place (
            study INTEGER NOT NULL REFERENCES study (id),
            key TEXT NOT NULL,
            position INTEGER NOT NULL,
            kind TEXT NOT NULL,
            data TEXT NOT NULL,
            synthesizer TEXT NOT NULL,
            size INTEGER,
            number INTEGER NOT NULL,
            what TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (study, key)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            study INTEGER NOT NULL REFERENCES study (id),
            begun REAL NOT NULL,
            latest REAL NOT NULL,
            computed INTEGER NOT NULL,
            workers TEXT NOT NULL,
            ended TEXT NOT NULL
        )
        """,
    ),
)
"""Statements that lead from version i to version i + 1."""
VERSION = len(MIGRATIONS)
OLDEST = 2
"""Results of earlier stores belong to random streams that had other names, so they are not continued."""
