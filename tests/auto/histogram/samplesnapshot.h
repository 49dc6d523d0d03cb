// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SAMPLESNAPSHOT_H
#define SAMPLESNAPSHOT_H

#include <QtCore/qbytearray.h>

// A small snapshot with round numbers, the same for every test.
inline QByteArray sampleSnapshot()
{
    return R"({
        "version": 1, "pid": 4242, "qt": "6.4.2", "enabled": true,
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
                { "size": 8192, "allocated": 7, "freed": 5, "remote": 0, "live": 2 } ] } })")
            .replace("\"live\": 8160", "\"live\": 56544");
}

#endif // SAMPLESNAPSHOT_H
