// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SAMPLESNAPSHOT_H
#define SAMPLESNAPSHOT_H

#include <QtCore/qbytearray.h>

// A small snapshot with round numbers, the same for every test.
inline QByteArray sampleSnapshot()
{
    return R"({
        "version": 2, "pid": 4242, "qt": "6.4.2", "enabled": true,
        "domains": {
            "event": { "classes": [
                { "size": 24, "allocated": 1000, "freed": 900, "remote": 800, "live": 100 },
                { "size": 112, "allocated": 500, "freed": 450, "remote": 10, "live": 50 } ] },
            "object": { "classes": [
                { "size": 16, "allocated": 30, "freed": 20, "remote": 0, "live": 10 } ] },
            "private": { "classes": [] } },
        "arenas": [
            { "id": 1, "thread": 4242, "orphaned": false, "adoptions": 0, "live": 90, "pages": 3, "backlog": 0 },
            { "id": 2, "thread": 4243, "orphaned": false, "adoptions": 2, "live": 20, "pages": 1, "backlog": 5 },
            { "id": 3, "thread": 4244, "orphaned": true, "adoptions": 1, "live": 50, "pages": 2, "backlog": 7 } ],
        "bytes": { "reserved": 1073741824, "committed": 393216, "live": 8160 } })";
}

// The same of a whole program, which has its heap from the pool as well.
inline QByteArray wholeSnapshot()
{
    QByteArray json = sampleSnapshot();
    return json.replace(R"("private": { "classes": [] } })",
                        R"("private": { "classes": [] },
            "heap": { "classes": [
                { "size": 32, "allocated": 40000, "freed": 39000, "remote": 500, "live": 1000 },
                { "size": 1024, "allocated": 7, "freed": 5, "remote": 0, "live": 2 } ] } })")
            .replace("\"live\": 8160", "\"live\": 56544");
}

// The same of a process that publishes object caches: one with two categories, one without a name.
inline QByteArray cachesSnapshot()
{
    QByteArray json = sampleSnapshot();
    return json.replace(R"("bytes": {)", R"("missingCategories": 0, "caches": [
            { "id": 1, "name": "requests", "objectSize": 104, "categories": [
                { "name": "", "inUse": 0, "inStocks": 0, "inDepot": 0, "made": 0, "destroyed": 0, "ownHits": 0,
                  "depotHits": 0, "steals": 0, "misses": 0, "resets": 0, "stocks": 0, "missingStocks": 0 },
                { "name": "network", "inUse": 120, "inStocks": 30, "inDepot": 16, "made": 170, "destroyed": 4,
                  "ownHits": 98000, "depotHits": 1500, "steals": 3, "misses": 170, "resets": 99550,
                  "stocks": 4, "missingStocks": 0 },
                { "name": "files", "inUse": 5, "inStocks": 10, "inDepot": 0, "made": 15, "destroyed": 0,
                  "ownHits": 700, "depotHits": 20, "steals": 0, "misses": 15, "resets": 730, "stocks": 2,
                  "missingStocks": 0 } ] },
            { "id": 5, "name": "std::vector<Parser>", "objectSize": 4160, "categories": [
                { "name": "", "inUse": 1, "inStocks": 2, "inDepot": 0, "made": 3, "destroyed": 0,
                  "ownHits": 40, "depotHits": 0, "steals": 0, "misses": 3, "resets": 42, "stocks": 1,
                  "missingStocks": 0 } ] } ], "bytes": {)");
}

#endif // SAMPLESNAPSHOT_H
