// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef DEATHREPORT_H
#define DEATHREPORT_H

#include <gtest/gtest.h>

#if defined(_WIN32)
#include <ostream>
#include <regex>
#include <string>
#include <utility>
#endif

// EXPECT_FATAL(statement, pattern) is EXPECT_DEATH() with a POSIX extended regular expression. On
// Windows, GoogleTest's own expressions know neither brackets nor groups, and addresses have no 0x.
#if defined(_WIN32)
class DeathReport : public ::testing::MatcherInterface<const std::string &>
{
public:
    explicit DeathReport(std::string pattern) : m_pattern(std::move(pattern))
    {
        replace("0x[", "[");
        replace("(.|\n)*", "[^]*"); // the former takes exponential time here
    }

    bool MatchAndExplain(const std::string &text,
                         ::testing::MatchResultListener *) const override
    {
        return std::regex_search(text, std::regex(m_pattern));
    }
    void DescribeTo(std::ostream *stream) const override
    {
        *stream << "contains \"" << m_pattern << '"';
    }

private:
    void replace(const std::string &what, const char *by)
    {
        for (std::size_t at = 0; (at = m_pattern.find(what, at)) != std::string::npos;)
            m_pattern.replace(at, what.size(), by);
    }

    std::string m_pattern;
};

inline ::testing::Matcher<const std::string &> deathReport(std::string pattern)
{
    return ::testing::MakeMatcher<const std::string &>(new DeathReport(std::move(pattern)));
}

#define EXPECT_FATAL(statement, pattern) EXPECT_DEATH(statement, deathReport(pattern))
#else
#define EXPECT_FATAL(statement, pattern) EXPECT_DEATH(statement, pattern)
#endif

#endif // DEATHREPORT_H
