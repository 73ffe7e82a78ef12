-- The tables of a journal, version 1.

CREATE TABLE missions (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, pid INTEGER NOT NULL,
    instruction TEXT NOT NULL, wall TEXT NOT NULL, outcome TEXT, reason TEXT
);
CREATE TABLE events (
    mission INTEGER NOT NULL REFERENCES missions, seq INTEGER NOT NULL,
    at_s REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (mission, seq)
) WITHOUT ROWID;
