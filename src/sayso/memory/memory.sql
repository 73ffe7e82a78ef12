-- The tables of the memory of version 1, in a journal's file. Columns of a record stand in the order of its fields.

BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS memory (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT OR IGNORE INTO memory VALUES ('version', 1), ('next', 1);
CREATE TABLE IF NOT EXISTS units (
    id INTEGER PRIMARY KEY, label TEXT NOT NULL, map TEXT NOT NULL,
    x_m REAL, y_m REAL, z_m REAL, yaw_rad REAL, place TEXT NOT NULL, attributes TEXT NOT NULL,
    seen_s REAL NOT NULL, born_s REAL NOT NULL, mission TEXT NOT NULL, confidence REAL NOT NULL,
    held INTEGER NOT NULL, picture TEXT NOT NULL, name TEXT NOT NULL, sense TEXT NOT NULL,
    reach_m REAL NOT NULL, backdrops TEXT NOT NULL, missed_s REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS units_of_map ON units (map);
CREATE TABLE IF NOT EXISTS turns (
    unit INTEGER NOT NULL, at_s REAL NOT NULL, what TEXT NOT NULL, x_m REAL, y_m REAL, z_m REAL, yaw_rad REAL,
    place TEXT NOT NULL, mission TEXT NOT NULL, note TEXT NOT NULL, unseen_s REAL NOT NULL
);
CREATE INDEX IF NOT EXISTS turns_of_unit ON turns (unit);
CREATE TABLE IF NOT EXISTS maps (id TEXT PRIMARY KEY, grid BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS places (
    map TEXT NOT NULL, name TEXT NOT NULL, x_m REAL NOT NULL, y_m REAL NOT NULL, z_m REAL NOT NULL,
    yaw_rad REAL NOT NULL, radius_m REAL NOT NULL, aliases TEXT NOT NULL, PRIMARY KEY (map, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (
    space TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (space, text)
) WITHOUT ROWID;
COMMIT;
