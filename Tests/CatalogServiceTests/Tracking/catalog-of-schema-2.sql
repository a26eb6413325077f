PRAGMA journal_mode = WAL;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE product (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT,
    price TEXT,
    currency TEXT,
    unit TEXT,
    attributes TEXT
, revision INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO product VALUES(1,'1','Pencil','0.89','EUR',NULL,'{"shelf":"A1"}',0);
INSERT INTO product VALUES(2,'2','Milk','1.29','EUR',NULL,NULL,3);
CREATE TABLE code (
    product INTEGER NOT NULL REFERENCES product (number),
    position INTEGER NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (product, position, key)
) STRICT, WITHOUT ROWID;
INSERT INTO code VALUES(1,0,'04006381333931','4006381333931');
INSERT INTO code VALUES(2,0,'00042100005264','042100005264');
INSERT INTO code VALUES(2,1,'MILK','MILK');
CREATE TABLE revision (
    number INTEGER PRIMARY KEY,
    tag TEXT NOT NULL
) STRICT;
INSERT INTO revision VALUES(2,'0afff1309f50ae15');
INSERT INTO revision VALUES(3,'f6126e5f4545c637');
INSERT INTO revision VALUES(4,'a1b758c035d3b55c');
CREATE TABLE removal (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    revision INTEGER NOT NULL
) STRICT;
INSERT INTO removal VALUES(3,'3',4);
CREATE TABLE upstream (
    number INTEGER PRIMARY KEY CHECK (number = 1),
    url TEXT NOT NULL,
    revision TEXT NOT NULL,
    run INTEGER NOT NULL
) STRICT;
CREATE TABLE synced (
    product INTEGER PRIMARY KEY,
    run INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX code_key ON code (key, product, position);
CREATE INDEX product_revision ON product (revision) WHERE revision > 0;
CREATE INDEX removal_revision ON removal (revision);
COMMIT;
PRAGMA application_id = 1802978145;
PRAGMA user_version = 2;
