package dev.parley.domain.permission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns match every notation of the URLs that their authors wrote, and no other URL. */
class UrlPatternTest {
    private static boolean matches(String pattern, String url) {
        String value = Subject.of(Subject.Kind.URL, url).value();
        return UrlPattern.of(pattern).matches(value, UrlPattern.withPort(value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://ok/x HTTPS://OK/x https://ok./x https://ok:443/x https://ok:/x https://Ok.:0443/x",
                "http://ok:443/x HTTP://OK:443/x http://ok.:0443/x",
                "http://[::1]/x http://[0:0:0:0:0:0:0:1]/x http://[0000::0:0001]:80/x http://[::0.0.0.1]/x",
                "http://[fe80::a:b]:81/x http://[FE80:0:0:0:0:0:A:B]:81/x http://[fe80::0.10.0.11]:081/x",
                "http://192.0.2.1/x http://[::ffff:192.0.2.1]/x http://[0::FFFF:c000:0201]:80/x"
            })
    void matchesEveryNotationOfAUrl(String notations) {
        List<String> all = List.of(notations.split(" "));
        for (String pattern : all) {
            for (String url : all) {
                assertTrue(matches(pattern, url), () -> pattern + " matches " + url);
            }
        }
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', textBlock = """
            https://*.Example.org/**      | https://*.example.org/**
            HTTPS://*.Example.org.:8443/* | https://*.example.org:8443/*
            https://ok:443/**             | https://ok:443/**
            https://OK/Docs?a=%7E         | https://ok/Docs?a=~
            http://[0:0:0:0:0:0:0:1]:*/** | http://[::1]:*/**
            http://[::FFFF:10.0.0.1]/**   | http://10.0.0.1/**
            http://[FE80:*]:0080/**       | http://[fe80:*]:80/**
            *://OK/**                     | *://ok/**
            HTTPS://**                    | https://**
            https://A.**.Org/X            | https://a.**.Org/X
            https://OK                    | https://ok/
            https://OK?x                  | https://ok?x
            https://OK:**                 | https://ok:**
            """)
    void keepsWildcards(String pattern, String text) {
        assertEquals(text, UrlPattern.of(pattern).text());
        assertEquals(UrlPattern.of(pattern), UrlPattern.of(text), "the text is in this notation");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "**",
                "*",
                "Docs/**",
                "//OK/**",
                "HTTPS:OK",
                "HTTPS:///OK",
                "https://Me@OK/**",
                "https://OK:Port/**",
                "https://[::1]X/**",
                "https://\\*.OK/**",
                "https://O\\K:443/**"
            })
    void leavesAPatternThatIsNoUrl(String pattern) {
        assertEquals(new UrlPattern(pattern, ""), UrlPattern.of(pattern));
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            https://*.Example.org/**   | https://a.example.org/x       | true
            https://*.Example.org/**   | https://a.example.org:443/x   | true
            https://*.Example.org/**   | https://a.example.org:8443/x  | false
            https://*.Example.org/**   | https://example.org/x         | false
            https://*.Example.org/**   | https://a.example.org.evil/x  | false
            https://ok:443/**          | https://ok/x                  | true
            https://ok:443/**          | http://ok:443/x               | false
            https://ok:443/**          | https://ok:4430/x             | false
            https://ok:443/**          | https://okay/x                | false
            https://*:443/**           | https://ok/x                  | true
            https://*:443/**           | https://ok:8443/x             | false
            *://ok:80/**               | http://ok/x                   | true
            *://ok:80/**               | https://ok/x                  | false
            https://**.ok:443/**       | https://a.ok/x                | true
            http://[::1]:*/**          | http://[::1]/x                | true
            http://[::1]:*/**          | http://[0::1]:8080/x          | true
            http://[::1]:*/**          | http://[::2]/x                | false
            http://[::1]:*/**          | https://[::1]/x               | false
            http://[::1]/**            | http://[::1]:8080/x           | false
            https://ok:*/**            | https://ok/x                  | true
            https://ok:*/**            | https://ok:8443/x             | true
            https://ok:*/**            | https://ok.evil/x             | false
            https://ok:8*/**           | https://ok:8443/x             | true
            https://ok:8*/**           | https://ok/x                  | false
            https://ok:44?/**          | https://ok/x                  | true
            https://ok*:443/**         | https://ok:8443/x             | false
            https://ok*/**             | https://ok:8443/x             | true
            https://ok????/**          | https://ok/x                  | false
            https://ok*./**            | https://ok:8443/x             | false
            https://OK                 | https://ok                    | true
            https://OK                 | https://ok/x                  | false
            https://OK/Docs            | https://ok/docs               | false
            https://ok:**              | https://ok/x                  | true
            http://[::ffff:10.0.0.1]/* | http://10.0.0.1/x             | true
            http://10.*/**             | http://[::ffff:a00:1]/x       | true
            http://[fe80:*]/**         | http://[FE80:0:0:0:0:0:0:1]/x | true
            """)
    void matchesAsItsAuthorWrote(String pattern, String url, boolean expected) {
        assertEquals(expected, matches(pattern, url));
    }

    @Test
    void countsCharactersOfOneNotation() {
        int specificity = UrlPattern.of("https://ok/**").specificity();

        for (String other : List.of("HTTPS://OK:443/**", "https://ok.:/**", "https://ok:*/**", "https://ok:44?/*")) {
            assertEquals(specificity, UrlPattern.of(other).specificity(), other);
        }
        assertEquals(
                specificity + ":8443".length(),
                UrlPattern.of("https://ok:8443/**").specificity());
        assertEquals(
                specificity + ":443".length() - 1,
                UrlPattern.of("http://ok:443/**").specificity());
    }

    /**
     * A denial matches at least what it matches as it is written, and what a permission matches has a notation that its
     * author wrote.
     */
    @Test
    void matchesNeitherLessNorMoreThanItsAuthorWrote() {
        List<String> patterns = texts(
                List.of("https://", "HTTPS://", "http://", "*://"),
                List.of("ok", "OK", "*", "*.OK", "o?", "ok.", "*.", "ok*", "**.ok", "*80.", "[0:0:0:0:0:0:0:1]", "[*]"),
                List.of("", ":", ":443", ":80", ":8080", ":*", ":8*", ":**"),
                List.of("", "/", "/**", "/x", "**"));
        for (String scheme : List.of("http", "https")) {
            for (String host : List.of("ok", "a.ok", "okay", "ok80", "[::1]")) {
                for (String port : List.of("", ":443", ":80", ":8080")) {
                    List<String> notations = notations(scheme, host, port);
                    String value = Subject.of(Subject.Kind.URL, scheme + "://" + host + port)
                            .value();
                    patterns.forEach(pattern -> assertBounds(pattern, value, notations));
                }
            }
        }
    }

    private static void assertBounds(String pattern, String value, List<String> notations) {
        boolean matched = UrlPattern.of(pattern).matches(value, UrlPattern.withPort(value));
        if (matched) {
            assertTrue(
                    notations.stream().anyMatch(url -> Pattern.matches(pattern, url, false)),
                    () -> pattern + " does not say " + value);
        } else {
            assertFalse(Pattern.matches(pattern, value, false), () -> pattern + " says " + value);
        }
    }

    /** Notations of a URL without a path. */
    private static List<String> notations(String scheme, String host, String port) {
        String usual = ":" + UrlPattern.usualPort(scheme);
        String upper = host.toUpperCase(Locale.ROOT);
        return texts(
                List.of(scheme + "://", scheme.toUpperCase(Locale.ROOT) + "://"),
                host.startsWith("[")
                        ? List.of(host, "[0:0:0:0:0:0:0:1]")
                        : List.of(host, upper, host + ".", upper + "."),
                port.isEmpty() || port.equals(usual) ? List.of("", ":", usual) : List.of(port),
                List.of("", "/"));
    }

    /** All texts of one part of each list. */
    private static List<String> texts(
            List<String> schemes, List<String> hosts, List<String> ports, List<String> paths) {
        return schemes.stream()
                .flatMap(scheme -> hosts.stream().map(host -> scheme + host))
                .flatMap(origin -> ports.stream().map(port -> origin + port))
                .flatMap(origin -> paths.stream().map(path -> origin + path))
                .toList();
    }
}
